import { createHash } from 'node:crypto'
import { LoginState } from '@rookery/contracts/auth'
import type { Failure } from '@rookery/failures'
import { afterEach, describe, expect, it } from 'vitest'
import { call, type Harness, type HarnessOptions, openHarness } from './harness.ts'

const opened: Harness[] = []
const open = async (options: HarnessOptions = {}) => {
  const harness = await openHarness(options)
  opened.push(harness)
  return harness
}
afterEach(async () => {
  for (const harness of opened.splice(0)) await harness.close()
})

const MARA = {
  username: 'mara',
  email: 'mara@example.com',
  password: 'mara knows',
  agreement: true,
  locale: 'en',
  reason: '',
  address: '192.0.2.1',
}

type Sent = Partial<Omit<typeof MARA, 'agreement'>> & { agreement?: boolean | undefined }

const register = async (harness: Harness, sent: Sent = {}, appId?: string) =>
  harness.registrations.register(call(), { ...MARA, ...sent, appId: appId ?? (await harness.registerApp()).id })
const refused = async (harness: Harness, sent: Sent): Promise<Failure> => {
  const failure = await register(harness, sent).then(
    () => undefined,
    (error: Failure) => error,
  )
  if (!failure) throw new Error('it was registered')
  return failure
}
const holderOf = async (harness: Harness, token: string) => {
  const { holders } = await harness.tokens.check(call(), { digests: [createHash('sha256').update(token).digest()] })
  return holders[0]
}
const unreachableDns = { resolveMx: async () => [], resolve4: async () => [], resolve6: async () => [] }
const reachableDns = { ...unreachableDns, resolve4: async () => ['192.0.2.1'] as string[] & { address: string; ttl: number }[] }

describe('registering', () => {
  it("opens the account at statuses and answers with a token of the app's scopes", async () => {
    const harness = await open()
    const app = await harness.registerApp('elk://x', 'read write:statuses')
    const issued = await register(harness, { locale: 'de-AT' }, app.id)
    expect(issued).toEqual({
      accessToken: expect.stringMatching(/^[\w-]{43}$/),
      scope: 'read write:statuses',
      createdAtSeconds: expect.any(Number),
    })
    const holder = await holderOf(harness, issued.accessToken)
    expect(holder).toMatchObject({ appId: app.id, loginState: LoginState.ACTIVE, role: 'user', scopes: ['read', 'write:statuses'] })
    expect(await harness.statuses.account(holder?.accountId ?? '')).toMatchObject({ username: 'mara', isActive: true, locale: 'de' })
    expect(await harness.rows('select count(*)::int from auth.sign_up_attempt')).toEqual([{ count: 0 }])
    expect(await harness.rows('select sign_up_address, last_sign_in_at from auth.login')).toEqual([
      { sign_up_address: '192.0.2.1', last_sign_in_at: null },
    ])
  })

  it.each([
    ['read write follow push profile admin:read admin:write', 'read write follow push'],
    ['read:accounts write:accounts admin:write:accounts', 'read:accounts write:accounts'],
  ])('gives the token of an app with %s no more than %s', async (registered, granted) => {
    const harness = await open()
    const issued = await register(harness, {}, (await harness.registerApp('elk://x', registered)).id)
    expect(issued.scope).toBe(granted)
    expect((await holderOf(harness, issued.accessToken))?.scopes).toEqual(granted.split(' '))
  })

  it('stores the password as a PHC string of argon2id', async () => {
    const harness = await open({ hashesInEarnest: true })
    await register(harness)
    const [{ password_hash }] = await harness.rows('select password_hash from auth.login')
    expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  })

  it('is refused to everyone when registrations are closed', async () => {
    const harness = await open({ config: { registrations: 'closed' } })
    expect(await refused(harness, {})).toMatchObject({ kind: 'forbidden', message: 'This action is not allowed' })
  })

  it('leaves people pending until they are approved, who must say why they come', async () => {
    const harness = await open({ config: { registrations: 'approval' } })
    expect((await refused(harness, {})).violations).toEqual([{ field: 'reason', code: 'ERR_BLANK', description: "can't be blank" }])
    const holder = await holderOf(harness, (await register(harness, { reason: 'tea' })).accessToken)
    expect(holder).toMatchObject({ loginState: LoginState.PENDING })
    expect(await harness.statuses.account(holder?.accountId ?? '')).toMatchObject({ isActive: false })
  })

  it('is refused for an app that does not exist', async () => {
    const harness = await open()
    for (const appId of ['1', '', 'x']) {
      await expect(harness.registrations.register(call(), { ...MARA, appId })).rejects.toMatchObject({ kind: 'not_found' })
    }
  })
})

describe('violations', () => {
  const long = (length: number) => 'a'.repeat(length)
  const table: [string, Sent, string, string, string][] = [
    ['no username', { username: '' }, 'username', 'ERR_BLANK', "can't be blank"],
    ['a username of other letters', { username: 'ma.ra' }, 'username', 'ERR_INVALID', 'must contain only letters, numbers and underscores'],
    ['a long username', { username: long(31) }, 'username', 'ERR_TOO_LONG', 'is too long (maximum is 30 characters)'],
    ['a reserved username', { username: 'Admin' }, 'username', 'ERR_RESERVED', 'is reserved'],
    ['no address', { email: ' ' }, 'email', 'ERR_BLANK', "can't be blank"],
    ['half an address', { email: 'mara@' }, 'email', 'ERR_INVALID', 'is invalid'],
    ['two addresses', { email: 'a@b.example,c@d.example' }, 'email', 'ERR_INVALID', 'is invalid'],
    ['a percent sign', { email: 'a%b@c.example' }, 'email', 'ERR_INVALID', 'is invalid'],
    ['an encoded word', { email: '=?utf-8?q?x?=@c.example' }, 'email', 'ERR_INVALID', 'is invalid'],
    ['a NUL in the address', { email: 'a\0@b.example' }, 'email', 'ERR_INVALID', 'is invalid'],
    ['a long address', { email: `${long(64)}@${long(200)}.example` }, 'email', 'ERR_TOO_LONG', 'is too long (maximum is 254 characters)'],
    ['a blocked provider', { email: 'm@mail.Spam.example' }, 'email', 'ERR_BLOCKED', 'contains a disallowed e-mail provider'],
    ['no password', { password: '' }, 'password', 'ERR_BLANK', "can't be blank"],
    ['a short password', { password: '1234567' }, 'password', 'ERR_TOO_SHORT', 'is too short (minimum is 8 characters)'],
    ['a long password', { password: long(73) }, 'password', 'ERR_TOO_LONG', 'is too long (maximum is 72 characters)'],
    ['no agreement', { agreement: false }, 'agreement', 'ERR_ACCEPTED', 'must be accepted'],
    ['silence about the agreement', { agreement: undefined }, 'agreement', 'ERR_ACCEPTED', 'must be accepted'],
    ['no locale', { locale: '' }, 'locale', 'ERR_BLANK', "can't be blank"],
    ['an unknown locale', { locale: 'xx' }, 'locale', 'ERR_INCLUSION', 'is not included in the list'],
    ['a long reason', { reason: long(421) }, 'reason', 'ERR_TOO_LONG', 'is too long (maximum is 420 characters)'],
  ]

  it('name the field, the code and a sentence', async () => {
    const harness = await open({ config: { blockedEmailDomains: ['spam.example'] } })
    for (const [what, sent, field, code, description] of table) {
      expect(await refused(harness, sent), what).toMatchObject({ kind: 'invalid', violations: [{ field, code, description }] })
    }
    expect(harness.statuses.calls).not.toContain('open')
  })

  it('come all at once, with a message that lists them', async () => {
    const harness = await open()
    const failure = await refused(harness, { username: '', email: '', password: '', agreement: false, locale: '' })
    expect(failure.message).toBe(
      "Validation failed: Username can't be blank, E-mail address can't be blank, Password can't be blank, Service agreement must be accepted, Locale can't be blank",
    )
    expect(failure.violations.map(({ field }) => field)).toEqual(['username', 'email', 'password', 'agreement', 'locale'])
  })

  it('come together: a username and an address that are taken, and what else is wrong', async () => {
    const harness = await open()
    await register(harness)
    const { violations, message } = await refused(harness, { password: '', agreement: false })
    expect(violations.map(({ field, code }) => [field, code])).toEqual([
      ['username', 'ERR_TAKEN'],
      ['email', 'ERR_TAKEN'],
      ['password', 'ERR_BLANK'],
      ['agreement', 'ERR_ACCEPTED'],
    ])
    expect(message).toMatch(/^Validation failed: Username has already been taken, E-mail address has already been taken, Password/)
  })

  it('report a username of a deleted account', async () => {
    const harness = await open()
    await harness.person('mara')
    await harness.operator.deleteAccount(call(), { username: 'mara' })
    await harness.statuses.runJob('remove-closed-accounts')
    expect((await refused(harness, { username: 'Mara', email: 'nope' })).violations.map(({ field, code }) => [field, code])).toEqual([
      ['username', 'ERR_TAKEN'],
      ['email', 'ERR_INVALID'],
    ])
  })

  it('say that a username or an address is taken, regardless of case', async () => {
    const harness = await open()
    await register(harness)
    expect((await refused(harness, { email: 'other@example.com', username: 'MARA' })).violations).toEqual([
      { field: 'username', code: 'ERR_TAKEN', description: 'has already been taken' },
    ])
    expect((await refused(harness, { username: 'other', email: 'Mara@Example.com' })).violations).toEqual([
      { field: 'email', code: 'ERR_TAKEN', description: 'has already been taken' },
    ])
    expect(await harness.rows('select count(*)::int from auth.sign_up_attempt')).toEqual([{ count: 0 }])
    expect(await harness.statuses.accounts()).toHaveLength(1)
  })

  it('ask the DNS only on a server the public can reach', async () => {
    const near = await open({ resolver: unreachableDns })
    await register(near)
    const far = await open({ resolver: unreachableDns, config: { baseUrl: 'https://rookery.example' } })
    expect((await refused(far, {})).violations).toEqual([
      { field: 'email', code: 'ERR_UNREACHABLE', description: 'does not seem to exist' },
    ])
    const reachable = await open({ resolver: reachableDns, config: { baseUrl: 'https://rookery.example' } })
    await register(reachable)
  })
})

describe('a sign-up that stops half-way', () => {
  const attempts = (harness: Harness) => harness.rows('select account_id from auth.sign_up_attempt')
  const logins = (harness: Harness) => harness.rows('select account_id from auth.login')

  it.each([
    ['before the account is open', { call: 'open' }],
    ['after the account is open', { call: 'open', after: true }],
  ])('%s is finished by the job', async (_when, breaking) => {
    const harness = await open()
    harness.statuses.breaking = breaking
    expect(await refused(harness, {})).toMatchObject({ kind: 'unavailable' })
    expect(await logins(harness)).toEqual([])
    harness.statuses.breaking = undefined
    const [{ account_id }] = await attempts(harness)
    await harness.runJobs()
    expect(await attempts(harness)).toEqual([])
    expect(await logins(harness)).toEqual([{ account_id }])
    expect((await harness.statuses.accounts()).map(({ id }) => id)).toEqual([account_id])
  })

  it('is gone on with when the same person tries again', async () => {
    const harness = await open()
    harness.statuses.breaking = { call: 'open', after: true }
    await refused(harness, {})
    harness.statuses.breaking = undefined
    const [{ account_id }] = await attempts(harness)
    const issued = await register(harness)
    expect(await holderOf(harness, issued.accessToken)).toMatchObject({ accountId: account_id, loginState: LoginState.ACTIVE })
    await harness.runJobs()
    expect(await harness.statuses.accounts()).toHaveLength(1)
  })

  it('is finished once when the same person tries again many times at once', async () => {
    const harness = await open()
    const app = await harness.registerApp()
    harness.statuses.breaking = { call: 'open', after: true }
    await refused(harness, {})
    harness.statuses.breaking = undefined
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => register(harness, {}, app.id)))
    // Who comes when it is finished already hears that the username is taken.
    const issued = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    expect(issued).not.toEqual([])
    const [login] = await logins(harness)
    for (const { accessToken } of issued) expect(await holderOf(harness, accessToken)).toMatchObject({ accountId: login.account_id })
    expect((await harness.statuses.accounts()).map(({ id }) => id)).toEqual([login.account_id])
  })

  it('is not handed to someone with another password', async () => {
    const harness = await open()
    harness.statuses.breaking = { call: 'open', after: true }
    await refused(harness, {})
    harness.statuses.breaking = undefined
    expect((await refused(harness, { password: 'not the same' })).violations).toMatchObject([{ field: 'username', code: 'ERR_TAKEN' }])
    await harness.runJobs()
    expect(await logins(harness)).toHaveLength(1)
  })

  it('is undone when someone else has the address by now', async () => {
    const harness = await open()
    harness.statuses.breaking = { call: 'open', after: true }
    await refused(harness, {})
    harness.statuses.breaking = undefined
    await register(harness, { username: 'other' })
    await harness.runJobs()
    expect(await attempts(harness)).toEqual([])
    expect(await logins(harness)).toHaveLength(1)
    expect((await harness.statuses.accounts()).map(({ username }) => username)).toEqual(['other'])
  })

  it('is undone later when it could not be at once', async () => {
    const harness = await open()
    harness.statuses.breaking = { call: 'open', after: true }
    await refused(harness, {})
    harness.statuses.breaking = undefined
    await register(harness, { username: 'other' })
    harness.statuses.breaking = { call: 'withdraw' }
    await harness.runJobs()
    expect(await attempts(harness)).toHaveLength(1)
    harness.statuses.breaking = undefined
    await harness.runJobs()
    expect(await attempts(harness)).toEqual([])
    expect(await harness.statuses.accounts()).toHaveLength(1)
  })

  it('never leaves two accounts when the same form is sent many times at once', async () => {
    const harness = await open()
    const app = await harness.registerApp()
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => register(harness, {}, app.id)))
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1)
    await harness.runJobs()
    expect(await logins(harness)).toHaveLength(1)
    expect(await harness.statuses.accounts()).toHaveLength(1)
    expect(await attempts(harness)).toEqual([])
  })
})

describe('weekly activity', () => {
  it('counts who signed in and who registered, by weeks that begin on Monday', async () => {
    const harness = await open()
    const browser = harness.browser()
    const app = await harness.registerApp()
    const query = new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: 'elk://x', force_login: 'true' })
    const monday = () => {
      const day = new Date(harness.clock.now())
      return Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate() - ((day.getUTCDay() + 6) % 7)) / 1000
    }
    const signIn = async (email: string, password: string) =>
      browser.submit(await browser.visit(`/oauth/authorize?${query}`), { email, password })
    await register(harness)
    const first = monday()
    await signIn(MARA.email, MARA.password)
    await signIn(MARA.email, MARA.password)
    harness.pass(7 * 86_400_000)
    await register(harness, { username: 'joel', email: 'joel@example.com' })
    await signIn(MARA.email, MARA.password)
    await signIn('joel@example.com', MARA.password)
    const { weeks } = await harness.registrations.readActivity(call(), { sinceSeconds: first })
    expect(weeks).toEqual([
      { weekSeconds: first, logins: 1, registrations: 1 },
      { weekSeconds: monday(), logins: 2, registrations: 1 },
    ])
    expect((await harness.registrations.readActivity(call(), { sinceSeconds: monday() })).weeks).toHaveLength(1)
  })

  it('counts who used a token, once a day and person, and who did lately', async () => {
    const harness = await open()
    const [mara, joel] = [await harness.person('mara'), await harness.person('joel')]
    const uses = async (...people: { accessToken: string }[]) => {
      const digests = people.map(({ accessToken }) => createHash('sha256').update(accessToken).digest())
      await harness.tokens.check(call(), { digests })
    }
    const activity = async () => {
      const { weeks, activeMonth, activeHalfYear } = await harness.registrations.readActivity(call(), { sinceSeconds: 0 })
      return { logins: weeks.map(({ logins }) => logins).filter((logins) => logins > 0), activeMonth, activeHalfYear }
    }
    expect(await activity()).toEqual({ logins: [], activeMonth: 0, activeHalfYear: 0 })
    await uses(mara, mara, joel)
    expect(await activity()).toEqual({ logins: [2], activeMonth: 2, activeHalfYear: 2 })

    harness.statements.length = 0
    for (let times = 0; times < 20; times++) await uses(mara, joel)
    expect(harness.statements).toHaveLength(20)
    await activity()
    expect(harness.statements.filter((text) => /^(insert|update)/.test(text))).toEqual([])

    harness.pass(20 * 86_400_000)
    await uses(mara)
    expect(await activity()).toEqual({ logins: [2, 1], activeMonth: 2, activeHalfYear: 2 })
    harness.pass(20 * 86_400_000)
    expect(await activity()).toEqual({ logins: [2, 1], activeMonth: 1, activeHalfYear: 2 })
    harness.pass(150 * 86_400_000)
    expect(await activity()).toMatchObject({ activeMonth: 0, activeHalfYear: 1 })
  })

  it('counts no one whose login is disabled or whose token was revoked, and notes what waits when the process ends', async () => {
    const harness = await open()
    const [mara, joel, sevi] = [await harness.person('mara'), await harness.person('joel'), await harness.person('sevi')]
    await harness.operator.setDisabled(call(), { username: 'mara', isDisabled: true })
    await harness.operator.revokeToken(call(), { accessToken: joel.accessToken, username: '' })
    const digests = [mara, joel, sevi].map(({ accessToken }) => createHash('sha256').update(accessToken).digest())
    await harness.tokens.check(call(), { digests })
    const seen = async () =>
      (await harness.rows('select account_id from auth.login where last_seen_on is not null')).map((row) => row.account_id)
    expect(await seen()).toEqual([])
    await harness.end()
    expect(await seen()).toEqual([sevi.id])
  })
})
