import { createHash } from 'node:crypto'
import { TokenState } from '@rookery/contracts/auth'
import { startMailServer } from '@rookery/test-world/outside'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, openStage, type Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ config: { confirmation: 'automatic' } })
})
afterAll(() => stage.close())

const create = (more: Record<string, unknown> = {}) =>
  stage.operator.createAccount(call(), { username: 'mara', email: 'mara@example.com', ...more })

describe('creating an account', () => {
  it('makes a password when none is given, and a token when scopes are', async () => {
    const made = await create({ tokenScopes: 'read write push', role: 'owner' })
    expect(made.password).toMatch(/^[A-Za-z2-9]{20}$/)
    expect(made.accessToken).toMatch(/^[\w-]{43}$/)
    expect(made.login).toMatchObject({
      username: 'mara',
      email: 'mara@example.com',
      role: 'owner',
      isConfirmed: true,
      isApproved: true,
      isDisabled: false,
    })
  })

  it('keeps the password that is given, and issues no token unasked', async () => {
    const made = await create({ username: 'admin', email: 'admin@example.com', password: 'a long password' })
    expect(made).toMatchObject({ password: '', accessToken: '', login: { username: 'admin', role: 'user' } })
  })

  it.each([
    [{ role: 'king' }, 'Role king is not'],
    [{ tokenScopes: 'read zzz' }, 'zzz'],
    [{ username: 'not possible' }, 'Username must contain only letters, numbers and underscores'],
    [{ password: 'short' }, 'Password is too short'],
    [{ email: 'new@example.com' }, 'Username has already been taken'],
    [{ username: 'new' }, 'E-mail address has already been taken'],
  ])('refuses %j', async (more, message) => {
    await expect(create(more)).rejects.toMatchObject({ kind: 'invalid', message: expect.stringContaining(message) })
  })
})

describe('listing accounts', () => {
  it('shows the newest first, by pages, with one statement here and one call to statuses', async () => {
    stage.statements.length = 0
    stage.statuses.calls.length = 0
    const { logins } = await stage.operator.listAccounts(call(), {})
    expect(logins.map(({ username }) => username)).toEqual(['admin', 'mara'])
    expect([stage.statements.length, stage.statuses.calls]).toEqual([1, ['readUsernames']])
    const rest = await stage.operator.listAccounts(call(), { page: { limit: 1, maxId: logins[0]?.accountId } })
    expect(rest.logins.map(({ username }) => username)).toEqual(['mara'])
  })
})

describe('disabling a login', () => {
  const disable = (username: string, isDisabled: boolean) => stage.operator.setDisabled(call(), { username, isDisabled })

  it('closes streams at once, tells consumers and, durably, statuses', async () => {
    const { id } = await stage.person('joel')
    const before = (await stage.events()).length
    expect(await disable('@JOEL', true)).toMatchObject({ accountId: id, username: 'joel', isDisabled: true })
    expect(stage.live).toEqual([{ $case: 'loginClosed', value: { accountId: id } }])
    expect((await stage.events()).slice(before)).toEqual([{ $case: 'loginStateChanged', value: { accountId: id, isActive: false } }])
    stage.statuses.breaking = { call: 'setActive' }
    await stage.runJobs()
    stage.statuses.breaking = undefined
    await stage.runJobs()
    expect(stage.statuses.accounts.get(id)).toMatchObject({ isActive: false })

    await disable('joel', true)
    expect((await stage.events()).length).toBe(before + 1)
    expect(await disable('joel', false)).toMatchObject({ isDisabled: false })
    await stage.runJobs()
    expect(stage.statuses.accounts.get(id)).toMatchObject({ isActive: true })
    expect(stage.live).toHaveLength(1)
  })

  it('knows nobody of another name', async () => {
    await expect(disable('nobody', true)).rejects.toMatchObject({ kind: 'not_found' })
  })
})

describe('showing an account', () => {
  it('tells all there is of a login, and no secret', async () => {
    const odile = await stage.person('odile')
    const browser = stage.browser()
    await browser.submit(await browser.visit('/auth/sign_in'), { email: odile.email, password: odile.password })
    const shown = await stage.operator.readAccount(call(), { username: '@Odile' })
    expect(shown).toMatchObject({ login: { username: 'odile', email: odile.email }, locale: 'en', reason: '', apps: 1, browsers: 1 })
    expect(shown.lastSignInAtMilliseconds).toBeGreaterThan(0)
    expect(JSON.stringify(shown)).not.toMatch(/argon2|digest/)
    await expect(stage.operator.readAccount(call(), { username: 'nobody' })).rejects.toMatchObject({ kind: 'not_found' })
  })
})

describe('changing a role', () => {
  it('counts with the next request, and statuses hears of it', async () => {
    const pavel = await stage.person('pavel')
    const events = (await stage.events()).length
    expect(await stage.operator.setRole(call(), { username: 'pavel', role: 'moderator' })).toMatchObject({ role: 'moderator' })
    const digest = createHash('sha256').update(pavel.accessToken).digest()
    const { holders } = await stage.tokens.check(call(), { digests: [digest] })
    expect(holders[0]?.role).toBe('moderator')
    await stage.runJobs()
    expect(stage.statuses.accounts.get(pavel.id)).toMatchObject({ role: 'moderator', isActive: true })
    expect((await stage.events()).length).toBe(events)
    await expect(stage.operator.setRole(call(), { username: 'pavel', role: 'king' })).rejects.toMatchObject({ kind: 'invalid' })
  })
})

describe('a password reset by the operator', () => {
  it('is a link that works once, for a day; nothing ends before it is used', async () => {
    const quinn = await stage.person('quinn')
    const { link } = await stage.operator.resetPassword(call(), { username: 'quinn', byMail: false })
    const digest = createHash('sha256').update(quinn.accessToken).digest()
    const stateOf = async () => (await stage.tokens.check(call(), { digests: [digest] })).holders[0]?.state
    expect(await stateOf()).toBe(TokenState.VALID)
    const browser = stage.browser()
    expect((await browser.submit(await browser.visit(link), { password: 'quinn knows more' })).text).toContain('Your password is changed')
    expect(await stateOf()).toBe(TokenState.REVOKED)
    expect((await browser.visit(link)).status).toBe(404)
    const other = await stage.operator.resetPassword(call(), { username: 'quinn', byMail: false })
    stage.pass(86_400_000)
    expect((await browser.visit(other.link)).status).toBe(404)
  })

  it('cannot be sent by a server without mail', async () => {
    await expect(stage.operator.resetPassword(call(), { username: 'quinn', byMail: true })).rejects.toMatchObject({ kind: 'invalid' })
  })
})

describe('sign-ups that wait for approval', () => {
  const waiting = async (approval: Stage, username: string) => {
    const browser = approval.browser()
    const typed = { username, email: `${username}@example.com`, password: 'a password', agreement: 'true', reason: 'tea' }
    await browser.submit(await browser.visit('/auth/sign_up'), typed)
    return typed
  }
  const signIn = async (approval: Stage, { email, password }: { email: string; password: string }) => {
    const browser = approval.browser()
    return browser.submit(await browser.visit('/auth/sign_in'), { email, password })
  }

  it('are let in, or leave nothing behind; who is told', async () => {
    const mail = await startMailServer()
    const approval = await openStage({ config: { registrations: 'approval', smtpUrl: mail.url } })
    const rosa = await waiting(approval, 'rosa')
    const sami = await waiting(approval, 'sami')
    expect((await signIn(approval, rosa)).status).toBe(403)
    const shown = await approval.operator.readAccount(call(), { username: 'rosa' })
    expect(shown).toMatchObject({ reason: 'tea', login: { isApproved: false } })
    for (let times = 0; times < 2; times++) {
      expect(await approval.operator.approve(call(), { username: 'rosa' })).toMatchObject({ isApproved: true })
    }
    expect((await signIn(approval, rosa)).text).toContain('Signed in as @rosa')
    await expect(approval.operator.reject(call(), { username: 'rosa' })).rejects.toMatchObject({
      kind: 'forbidden',
      message: 'The account rosa does not wait for approval',
    })
    await approval.operator.reject(call(), { username: 'sami' })
    expect(await approval.rows(`select 1 from auth.login where email = 'sami@example.com'`)).toEqual([])
    expect([...approval.statuses.accounts.values()].map(({ username }) => username)).toEqual(['rosa'])
    await approval.runJobs()
    expect(mail.letters.map(({ to, text }) => [to[0], /Subject: (.*)/.exec(text)?.[1]?.split(' on ')[0]?.split(' to ')[0]]).sort()).toEqual(
      [
        ['rosa@example.com', 'Welcome'],
        ['sami@example.com', 'Your sign-up'],
      ],
    )
    expect((await waiting(approval, 'sami')).username).toBe(sami.username)
    expect([...approval.statuses.accounts.values()].map(({ username }) => username)).toEqual(['rosa', 'sami'])
    await approval.close()
    await mail.close()
  })
})

describe('deleting an account', () => {
  it('is what its owner could do', async () => {
    const tara = await stage.person('tara')
    expect(await stage.operator.deleteAccount(call(), { username: 'tara' })).toMatchObject({ username: 'tara' })
    expect(stage.statuses.accounts.has(tara.id)).toBe(false)
    await expect(stage.operator.deleteAccount(call(), { username: 'tara' })).rejects.toMatchObject({ kind: 'not_found' })
  })
})

describe('silencing and suspending', () => {
  it('silences in statuses alone', async () => {
    const { id } = await stage.person('sami')
    expect(await stage.operator.setSilenced(call(), { username: '@Sami', isSilenced: true })).toMatchObject({
      accountId: id,
      isDisabled: false,
    })
    expect(stage.statuses.accounts.get(id)).toMatchObject({ isSilenced: true })
    await stage.operator.setSilenced(call(), { username: 'sami', isSilenced: false })
    expect(stage.statuses.accounts.get(id)).toMatchObject({ isSilenced: false })
  })

  it('suspends in statuses and disables the login, and may be repeated when that stopped half-way', async () => {
    const { id } = await stage.person('sara')
    const suspend = (isSuspended: boolean) => stage.operator.setSuspended(call(), { username: 'sara', isSuspended })
    stage.statuses.breaking = { call: 'setStanding' }
    await expect(suspend(true)).rejects.toThrow()
    stage.statuses.breaking = undefined
    expect(await suspend(true)).toMatchObject({ isSuspended: true, isDisabled: false })
    expect(await suspend(true)).toMatchObject({ isSuspended: true })
    expect(stage.statuses.accounts.get(id)).toMatchObject({ isSuspended: true })
    expect(stage.live.at(-1)).toEqual({ $case: 'loginClosed', value: { accountId: id } })
    expect(await suspend(false)).toMatchObject({ isSuspended: false })
    expect(stage.statuses.accounts.get(id)).toMatchObject({ isSuspended: false })
    await expect(stage.operator.setSuspended(call(), { username: 'nobody', isSuspended: true })).rejects.toMatchObject({
      kind: 'not_found',
    })
  })
})

describe('revoking tokens', () => {
  it('revokes one, or all of an account, and counts those that were good', async () => {
    const { id, accessToken } = await stage.person('nadia')
    const app = await stage.registerApp()
    await stage.rows(`insert into auth.access_token select sha256('x'), 1, ${app.id}, ${id}, '{read}', null, now(), null`)
    const before = (await stage.events()).length
    expect(await stage.operator.revokeToken(call(), { accessToken })).toEqual({ count: 1 })
    expect(await stage.operator.revokeToken(call(), { accessToken })).toEqual({ count: 0 })
    expect(await stage.operator.revokeToken(call(), { username: 'nadia' })).toEqual({ count: 1 })
    const events = (await stage.events()).slice(before)
    expect(events.map(({ $case }) => $case)).toEqual(['tokenRevoked', 'tokenRevoked'])
    await expect(stage.operator.revokeToken(call(), {})).rejects.toMatchObject({ kind: 'malformed' })
  })
})

describe('forgetting', () => {
  it('deletes what can no longer be used, and nothing else', async () => {
    const app = await stage.registerApp()
    const browser = stage.browser()
    const path = `/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: 'elk://x' })}`
    const nadia = { email: 'nadia@example.com', password: 'nadia knows' }
    await browser.submit(await browser.visit(path), nadia)
    const models = async () => (await stage.rows('select distinct model from auth.oidc_artifact order by 1')).map(({ model }) => model)
    expect(await models()).toEqual(['Interaction', 'Session'])
    stage.pass(2 * 3600_000)
    await stage.runJob('forget-expired')
    expect(await models()).toEqual(['Session'])
    stage.pass(31 * 86_400_000)
    await stage.runJob('forget-expired')
    expect(await models()).toEqual([])
  })
})
