import { letterText, startMailServer } from '@rookery/test-world/outside'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call, type Harness, openHarness, type Person } from './harness.ts'

let harness: Harness
let mail: Awaited<ReturnType<typeof startMailServer>>
beforeAll(async () => {
  mail = await startMailServer()
  harness = await openHarness({ config: { smtpUrl: mail.url } })
})
afterAll(async () => {
  expect(harness.logged).toEqual([])
  await harness.close()
  await mail.close()
})

const leave = async ({ email, password }: Person) => {
  const browser = harness.browser()
  await browser.submit(await browser.visit('/auth/sign_in'), { email, password })
  return browser.submit(await browser.visit('/auth/account/delete'), { current_password: password })
}

it('ends tokens, streams and sign-ins, closes the account and forgets the login', async () => {
  const mara = await harness.person('mara')
  harness.live.length = 0
  const events = (await harness.events()).length
  expect(await leave(mara)).toMatchObject({ status: 200, text: expect.stringContaining('Your account is deleted') })
  expect(harness.live.map(({ $case }) => $case).sort()).toEqual(['loginClosed', 'tokenRevoked'])
  expect((await harness.events()).slice(events).map(({ $case }) => $case)).toEqual(['loginStateChanged', 'tokenRevoked'])
  expect(await harness.statuses.account(mara.id)).toBeUndefined()
  const held = `select 1 from auth.login where account_id = ${mara.id} union all select 1 from auth.access_token where account_id = ${mara.id}
    union all select 1 from auth.oidc_artifact where account_id = ${mara.id} union all select 1 from auth.session_browser where account_id = ${mara.id}`
  expect(await harness.rows(held)).toEqual([])
  await harness.runJobs()
  const letter = mail.letters.pop()
  expect(letter?.to).toEqual(['mara@example.com'])
  expect(letterText(letter!)).toContain('was deleted just now')
})

it('is refused to the last owner of the server, with what to do first', async () => {
  const made = await harness.operator.createAccount(call(), { username: 'olga', email: 'olga@example.com', role: 'owner', confirmed: true })
  const olga = { id: made.login!.accountId, username: 'olga', email: 'olga@example.com', password: made.password, accessToken: '' }
  expect(await leave(olga)).toMatchObject({ status: 403, text: expect.stringContaining('You are the last owner of this server.') })
  await harness.runJobs()
  expect(await harness.statuses.account(olga.id)).toBeDefined()
  const browser = harness.browser()
  const signedIn = await browser.submit(await browser.visit('/auth/sign_in'), { email: olga.email, password: olga.password })
  expect(signedIn.text).toContain('Your login')
})

it.each([{ after: false }, { after: true }])('is finished by a job when statuses does not answer: %o', async ({ after }) => {
  const joel = await harness.person(`joel_${after}`)
  harness.statuses.breaking = { call: 'close', after }
  expect((await leave(joel)).text).toContain('Your account is deleted')
  const login = () => harness.rows(`select 1 from auth.login where account_id = ${joel.id}`)
  expect(await login()).toHaveLength(1)
  const browser = harness.browser()
  const refused = await browser.submit(await browser.visit('/auth/sign_in'), { email: joel.email, password: joel.password })
  expect(refused).toMatchObject({ status: 403, text: expect.stringContaining('currently disabled') })
  // The process that would have tried again is gone, and its job with it.
  await harness.rows('delete from auth_jobs._private_jobs')
  harness.statuses.breaking = undefined
  await harness.runJob('finish-closings')
  expect(await login()).toEqual([])
  expect(await harness.statuses.account(joel.id)).toBeUndefined()
})
