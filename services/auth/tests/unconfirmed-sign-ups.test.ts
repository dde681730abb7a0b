import { letterText, startMailServer } from '@rookery/test-world/outside'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Harness, openHarness } from './harness.ts'

// Sign-ups whose address no one confirms: they would keep a username, and the address of someone who may never have asked, for good.

const DAY = 86_400_000

let harness: Harness
let mail: Awaited<ReturnType<typeof startMailServer>>
beforeAll(async () => {
  mail = await startMailServer()
  harness = await openHarness({ config: { confirmation: 'mail', smtpUrl: mail.url } })
})
afterAll(async () => {
  expect(harness.logged).toEqual([])
  await harness.close()
  await mail.close()
})

const signUp = async (username: string, email = `${username}@example.com`) => {
  const app = await harness.registerApp()
  const person = { username, email, password: `${username} knows`, agreement: true, locale: 'en', reason: '', address: '192.0.2.1' }
  const { accessToken } = await harness.registrations.register(call(), { ...person, appId: app.id })
  await harness.runJobs()
  const [{ id }] = await harness.rows(`select account_id::text id from auth.login where email = '${email}'`)
  return { id, accessToken, link: /http\S+token=\S+/.exec(letterText(mail.letters.at(-1)!))?.[0] ?? '' }
}

const forget = async () => {
  await harness.runJob('forget-sign-ups')
  await harness.runJobs()
}

const loginOf = (id: string) => harness.rows(`select 1 from auth.login where account_id = ${id}`)

describe('a sign-up that no one confirms', () => {
  it('goes once its last link is too old, without a mail, and leaves its name and address to others', async () => {
    const mara = await signUp('mara')
    harness.pass(6 * DAY)
    await forget()
    expect(await loginOf(mara.id)).toHaveLength(1)
    harness.pass(1.1 * DAY)
    const letters = mail.letters.length
    await forget()
    expect(await loginOf(mara.id)).toEqual([])
    expect(mail.letters).toHaveLength(letters)
    expect(await harness.statuses.account(mara.id)).toBeUndefined()
    const browser = harness.browser()
    expect((await browser.visit(mara.link)).status).toBe(404)
    expect((await signUp('mara')).id).not.toBe(mara.id)
  })

  it('stays as long as a link that was sent again is good', async () => {
    const joel = await signUp('joel')
    harness.pass(5 * DAY)
    const browser = harness.browser()
    const sent = await browser.submit(await browser.visit('/auth/sign_in'), { email: 'joel@example.com', password: 'joel knows' })
    await browser.submit(sent, {})
    await harness.runJobs()
    harness.pass(4 * DAY)
    await forget()
    expect(await loginOf(joel.id)).toHaveLength(1)
    harness.pass(4 * DAY)
    await forget()
    expect(await loginOf(joel.id)).toEqual([])
  })
})

it('who confirmed their address stays, and whom an operator made an account for', async () => {
  const nadia = await signUp('nadia')
  const browser = harness.browser()
  await browser.submit(await browser.visit(nadia.link), {})
  await harness.operator.createAccount(call(), { username: 'pavel', email: 'pavel@example.com', role: 'user', confirmed: false })
  harness.pass(30 * DAY)
  await forget()
  expect(await harness.rows('select email from auth.login order by 1')).toEqual(
    expect.arrayContaining([{ email: 'nadia@example.com' }, { email: 'pavel@example.com' }]),
  )
})
