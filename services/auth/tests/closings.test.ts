import { letterText, startMailServer } from '@rookery/test-world/outside'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from './stage.ts'

let stage: Stage
let mail: Awaited<ReturnType<typeof startMailServer>>
beforeAll(async () => {
  mail = await startMailServer()
  stage = await openStage({ config: { smtpUrl: mail.url } })
})
afterAll(async () => {
  expect(stage.logged).toEqual([])
  await stage.close()
  await mail.close()
})

const leave = async ({ email, password }: Person) => {
  const browser = stage.browser()
  await browser.submit(await browser.visit('/auth/sign_in'), { email, password })
  return browser.submit(await browser.visit('/auth/account/delete'), { current_password: password })
}

it('ends tokens, streams and sign-ins, closes the account and forgets the login', async () => {
  const mara = await stage.person('mara')
  stage.live.length = 0
  const events = (await stage.events()).length
  expect(await leave(mara)).toMatchObject({ status: 200, text: expect.stringContaining('Your account is deleted') })
  expect(stage.live.map(({ $case }) => $case).sort()).toEqual(['loginClosed', 'tokenRevoked'])
  expect((await stage.events()).slice(events).map(({ $case }) => $case)).toEqual(['loginStateChanged', 'tokenRevoked'])
  expect(stage.statuses.accounts.has(mara.id)).toBe(false)
  const held = `select 1 from auth.login where account_id = ${mara.id} union all select 1 from auth.access_token where account_id = ${mara.id}
    union all select 1 from auth.oidc_artifact where account_id = ${mara.id} union all select 1 from auth.session_browser where account_id = ${mara.id}`
  expect(await stage.rows(held)).toEqual([])
  await stage.runJobs()
  const letter = mail.letters.pop()
  expect(letter?.to).toEqual(['mara@example.com'])
  expect(letterText(letter!)).toContain('was deleted just now')
})

it.each([{ after: false }, { after: true }])('is finished by a job when statuses does not answer: %o', async ({ after }) => {
  const joel = await stage.person(`joel_${after}`)
  stage.statuses.breaking = { call: 'close', after }
  expect((await leave(joel)).text).toContain('Your account is deleted')
  const login = () => stage.rows(`select 1 from auth.login where account_id = ${joel.id}`)
  expect(await login()).toHaveLength(1)
  const browser = stage.browser()
  const refused = await browser.submit(await browser.visit('/auth/sign_in'), { email: joel.email, password: joel.password })
  expect(refused).toMatchObject({ status: 403, text: expect.stringContaining('currently disabled') })
  // The process that would have tried again is gone, and its job with it.
  await stage.rows('delete from auth_jobs._private_jobs')
  stage.statuses.breaking = undefined
  await stage.runJob('finish-closings')
  expect(await login()).toEqual([])
  expect(stage.statuses.accounts.has(joel.id)).toBe(false)
})
