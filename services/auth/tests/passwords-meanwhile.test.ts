import { createHash } from 'node:crypto'
import { TokenState } from '@rookery/contracts/auth'
import { type Browser, letterText, type PageAnswer, startMailServer } from '@rookery/test-world/outside'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { fromBase32 } from '../src/credentials/second-factors/base32.ts'
import { stepAt, codeOf as totpOf } from '../src/credentials/second-factors/totp.rules.ts'
import { authorize, type ClientApp, call, codeOf, type Harness, openHarness, type Person } from './harness.ts'
import { SoftAuthenticator } from './soft-authenticator.ts'

// A password is set by a mailed link, or a person signs out everywhere, while a request of someone else who knew the old one, or has a session, is
// under way. The requests wait for each other in Postgres, at a write that the test holds up.

let harness: Harness
let mail: Awaited<ReturnType<typeof startMailServer>>
beforeAll(async () => {
  mail = await startMailServer()
  harness = await openHarness({ hostname: 'localhost', config: { smtpUrl: mail.url, hasRateLimits: false } })
  await harness.rows(`create function public.hold_up() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(7); return new; end $$`)
})
beforeEach(() => harness.toNewWindow())
afterAll(async () => {
  expect(harness.logged).toEqual([])
  await harness.close()
  await mail.close()
})

/** Writes that can be held up: of rows of a table, under a condition. */
const SESSION = { write: 'insert or update on auth.oidc_artifact', when: `new.model = 'Session'` }
const CODE = { write: 'insert on auth.oidc_artifact', when: `new.model = 'AuthorizationCode'` }
const EMAIL_CHANGE = { write: 'insert on auth.email_change', when: 'true' }
const RESET = { write: 'insert on auth.password_reset', when: 'true' }
const TOKEN = { write: 'insert on auth.access_token', when: 'true' }
const PASSWORD = { write: 'update on auth.login', when: 'new.password_hash <> old.password_hash' }

/** Resolves when so many sessions of Postgres wait for a lock, or `isOver`. */
const waiting = async (count: number, isOver = () => false) => {
  const waiters = async () =>
    Number(
      (await harness.rows(`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))[0]
        .count,
    )
  while (!isOver() && (await waiters()) < count);
}

/** Does the second after the first has come to a write that is held up until the second is done, or waits for the first. */
const meanwhile = async <Result>(held: typeof SESSION, first: () => Promise<Result>, second: () => Promise<unknown>): Promise<Result> => {
  await harness.rows(`create trigger held before ${held.write} for each row when (${held.when}) execute function public.hold_up()`)
  await harness.rows('select pg_advisory_lock(7)')
  const doing = first()
  await waiting(1)
  let isDone = false
  const after = second().finally(() => {
    isDone = true
  })
  await waiting(2, () => isDone)
  await harness.rows('select pg_advisory_unlock(7)')
  const [result] = await Promise.all([doing, after])
  await harness.rows(`drop trigger held on ${held.write.split(' on ')[1]}`)
  return result
}

const signIn = async ({ email }: Person, password: string, browser = harness.browser()) => {
  await browser.submit(await browser.visit('/auth/sign_in'), { email, password })
  return browser
}
const isSignedIn = async (browser: Browser) => (await browser.visit('/auth/account')).text.includes('Signed in as')
const maySignIn = async (person: Person, password: string) => isSignedIn(await signIn(person, password))

const NEW_PASSWORD = 'known to no one else'

/** The page of a mailed link, on which a new password is set. */
const resetOf = async ({ email }: Person) => {
  const browser = harness.browser()
  await browser.submit(await browser.visit('/auth/password/new'), { email })
  await harness.runJobs()
  const link =
    /https?:\S+\/auth\/password\/reset\?token=[\w-]{43}/.exec(mail.letters.splice(0).map(letterText).join('\n'))?.[0] ?? 'no link'
  const page = await browser.visit(link)
  return async () => {
    expect((await browser.submit(page, { password: NEW_PASSWORD })).text).toContain('Your password is changed')
  }
}

/** Exchanges a code. */
const letIn = ({ client_id, client_secret }: ClientApp, code: string) =>
  harness.post('/oauth/token', { grant_type: 'authorization_code', code, redirect_uri: 'elk://x', client_id, client_secret })

const stateOf = async (token: string) =>
  (await harness.tokens.check(call(), { digests: [createHash('sha256').update(token).digest()] })).holders[0]?.state

const FORM = 'data-passkey'
const questionOn = (page: PageAnswer) =>
  JSON.parse((/data-options="([^"]+)"/.exec(page.text)?.[1] ?? '').replaceAll('&quot;', '"').replaceAll('&amp;', '&'))

/** Sends the form that adds a passkey, from a page that was shown before. */
const addsPasskey = async (browser: Browser, { password }: Person, authenticator: SoftAuthenticator) => {
  const page = await browser.visit('/auth/account/passkeys/new')
  return () => browser.submit(page, { name: 'mine', current_password: password, credential: authenticator.create(questionOn(page)) }, FORM)
}

it('a sign-in with the old password is none', async () => {
  const person = await harness.person('agnes')
  const browser = await meanwhile(SESSION, () => signIn(person, person.password), await resetOf(person))
  expect(await isSignedIn(browser)).toBe(false)
  expect(await maySignIn(person, NEW_PASSWORD)).toBe(true)
})

it('a sign-in with a passkey that a new password removes is none', async () => {
  const person = await harness.person('bela')
  const authenticator = new SoftAuthenticator(harness.config.baseUrl)
  await (await addsPasskey(await signIn(person, person.password), person, authenticator))()
  const browser = harness.browser()
  const page = await browser.visit('/auth/sign_in')
  const uses = () => browser.submit(page, { credential: authenticator.use(questionOn(page)) }, FORM)
  await meanwhile(SESSION, uses, await resetOf(person))
  expect(await isSignedIn(browser)).toBe(false)
})

it.each(['answers an approval', 'asks for one'])(
  'a session that %s while its owner signs out everywhere does not come back',
  async (what) => {
    const app = await harness.registerApp()
    const person = await harness.person(what.slice(0, 3))
    const [here, there] = [await signIn(person, person.password), await signIn(person, person.password)]
    const query = new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: 'elk://x' })
    const approval = await there.visit(`/oauth/authorize?${query}`)
    const account = await here.visit('/auth/account')
    const acts =
      what === 'answers an approval' ? () => there.submit(approval, { answer: 'allow' }) : () => there.visit(`/oauth/authorize?${query}`)
    await meanwhile(SESSION, acts, () => here.submit(account, {}, '/auth/account/everywhere'))
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([false, false])
  },
)

it('a code of a session that a new password ended gives no token', async () => {
  const app = await harness.registerApp()
  const person = await harness.person('cem')
  const query = { client_id: app.client_id, redirect_uri: 'elk://x' }
  const browser = harness.browser()
  const back = await meanwhile(CODE, () => authorize(browser, query, person), await resetOf(person))
  const code = back.location?.startsWith('elk:') ? codeOf(back) : 'none'
  expect((await letIn(app, code)).json).toMatchObject({ error: 'invalid_grant' })
  expect(await stateOf(person.accessToken)).toBe(TokenState.REVOKED)
})

const passwordChange = async (browser: Browser, { password }: Person) => {
  const page = await browser.visit('/auth/account/password')
  return () => browser.submit(page, { current_password: password, password: 'known to the intruder' })
}
const secondFactor = async (browser: Browser, { password }: Person) => {
  const page = await browser.visit('/auth/account/second_factor')
  const secret = fromBase32(/<code class="secret">([^<]+)</.exec(page.text)?.[1] ?? '')
  return () => browser.submit(page, { current_password: password, code: totpOf(secret, stepAt(harness.clock.now())) })
}
const emailChange = async (browser: Browser, { username, password }: Person) => {
  const page = await browser.visit('/auth/account/email')
  return () => browser.submit(page, { current_password: password, email: `intruder-${username}@example.com` })
}
const deletion = async (browser: Browser, { password }: Person) => {
  const page = await browser.visit('/auth/account/delete')
  return () => browser.submit(page, { current_password: password })
}
const passkey = (browser: Browser, person: Person) => addsPasskey(browser, person, new SoftAuthenticator(harness.config.baseUrl))

it.each([
  ['another password', passwordChange],
  ['a passkey', passkey],
  ['a second factor', secondFactor],
  ['a deletion', deletion],
] as const)('%s of who knows the old password does not outlive a new one that is being set', async (what, form) => {
  const person = await harness.person(what.replaceAll(' ', '_').slice(-9))
  const intrude = await form(await signIn(person, person.password), person)
  await meanwhile(PASSWORD, await resetOf(person), intrude)
  expect(await maySignIn(person, NEW_PASSWORD)).toBe(true)
  expect(await harness.rows(`select from auth.passkey where account_id = ${person.id}`)).toEqual([])
})

it('a change of address that is asked for while a new password is set does not outlive it', async () => {
  const person = await harness.person('dora')
  const intrude = await emailChange(await signIn(person, person.password), person)
  await meanwhile(EMAIL_CHANGE, intrude, await resetOf(person))
  expect(await harness.rows(`select from auth.email_change where account_id = ${person.id}`)).toEqual([])
  await harness.runJobs()
  expect(mail.letters.filter(({ to }) => to.some((address) => address.startsWith('intruder')))).toEqual([])
})

it('a passkey that who knows the old password removes while another is set stays', async () => {
  const person = await harness.person('emil')
  const [here, there] = [await signIn(person, person.password), await signIn(person, person.password)]
  await (await passkey(here, person))()
  const page = await there.visit(
    /href="([^"]*passkeys\/remove[^"]*)"/.exec((await there.visit('/auth/account/passkeys')).text)?.[1]?.replaceAll('&amp;', '&') ?? '',
  )
  const form = await here.visit('/auth/account/password')
  const changes = () => here.submit(form, { current_password: person.password, password: NEW_PASSWORD })
  await meanwhile(PASSWORD, changes, () => there.submit(page, { current_password: person.password }))
  expect(await harness.rows(`select from auth.passkey where account_id = ${person.id}`)).toHaveLength(1)
})

it('a link that is made while the address changes, for the one before, sets no password', async () => {
  const person = await harness.person('fritz')
  const browser = await signIn(person, person.password)
  await browser.submit(await browser.visit('/auth/account/email'), { current_password: person.password, email: 'fritz@example.net' })
  await harness.runJobs()
  const linkIn = (path: string) =>
    new RegExp(`https?:\\S+${path}\\?token=[\\w-]{43}`).exec(mail.letters.splice(0).map(letterText).join('\n'))?.[0] ?? 'no link'
  const confirmation = await browser.visit(linkIn('/auth/account/email/confirm'))
  const other = harness.browser()
  await other.submit(await other.visit('/auth/password/new'), { email: person.email })
  await meanwhile(RESET, harness.runJobs, () => browser.submit(confirmation, {}))
  expect((await browser.visit('/auth/account')).text).toContain('fritz@example.net')
  expect((await other.visit(linkIn('/auth/password/reset'))).status).toBe(404)
})

it('a token that an app gets while it is signed out is none', async () => {
  const app = await harness.registerApp()
  const person = await harness.person('greta')
  const browser = await signIn(person, person.password)
  const code = codeOf(await authorize(browser, { client_id: app.client_id, redirect_uri: 'elk://x', scope: 'read' }, person))
  await letIn(app, codeOf(await authorize(browser, { client_id: app.client_id, redirect_uri: 'elk://x', scope: 'write' }, person)))
  const page = await browser.visit('/auth/account')
  const { json } = await meanwhile(
    TOKEN,
    () => letIn(app, code),
    () => browser.submit(page, {}, `value="${app.id}"`),
  )
  expect(await stateOf(json.access_token)).toBe(TokenState.REVOKED)
})

it('a move of who knows the old password does not begin while another is set', async () => {
  const [person, target] = [await harness.person('hanna'), await harness.person('ivo')]
  const theirs = await signIn(target, target.password)
  await theirs.submit(await theirs.visit('/auth/account/move'), { alias: 'hanna' }, '/auth/account/move/aliases')
  const browser = await signIn(person, person.password)
  const page = await browser.visit('/auth/account/move')
  const moves = () => browser.submit(page, { acct: 'ivo', current_password: person.password }, '/auth/account/move?')
  await meanwhile(PASSWORD, await resetOf(person), moves)
  expect((await (await signIn(person, NEW_PASSWORD)).visit('/auth/account/move')).text).not.toContain('@ivo')
})
