import { createHash } from 'node:crypto'
import { TokenState } from '@rookery/contracts/auth'
import { startMailServer } from '@rookery/test-world/outside'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Harness, openHarness } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await openHarness({ config: { confirmation: 'automatic' } })
})
afterAll(() => harness.close())

const create = (more: Record<string, unknown> = {}) =>
  harness.operator.createAccount(call(), { username: 'mara', email: 'mara@example.com', ...more })

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
    harness.statements.length = 0
    harness.statuses.calls.length = 0
    const { logins } = await harness.operator.listAccounts(call(), {})
    expect(logins.map(({ username }) => username)).toEqual(['admin', 'mara'])
    expect([harness.statements.length, harness.statuses.calls]).toEqual([1, ['readUsernames']])
    const rest = await harness.operator.listAccounts(call(), { page: { limit: 1, maxId: logins[0]?.accountId } })
    expect(rest.logins.map(({ username }) => username)).toEqual(['mara'])
  })
})

describe('disabling a login', () => {
  const disable = (username: string, isDisabled: boolean) => harness.operator.setDisabled(call(), { username, isDisabled })

  it('closes streams at once, tells consumers and, durably, statuses', async () => {
    const { id } = await harness.person('joel')
    const before = (await harness.events()).length
    expect(await disable('@JOEL', true)).toMatchObject({ accountId: id, username: 'joel', isDisabled: true })
    expect(harness.live).toEqual([{ $case: 'loginClosed', value: { accountId: id } }])
    expect((await harness.events()).slice(before)).toEqual([{ $case: 'loginStateChanged', value: { accountId: id, isActive: false } }])
    harness.statuses.breaking = { call: 'setActive' }
    await harness.runJobs()
    harness.statuses.breaking = undefined
    await harness.runJobs()
    expect(await harness.statuses.account(id)).toMatchObject({ isActive: false })

    await disable('joel', true)
    expect((await harness.events()).length).toBe(before + 1)
    expect(await disable('joel', false)).toMatchObject({ isDisabled: false })
    await harness.runJobs()
    expect(await harness.statuses.account(id)).toMatchObject({ isActive: true })
    expect(harness.live).toHaveLength(1)
  })

  it('knows no one of another name', async () => {
    await expect(disable('nobody', true)).rejects.toMatchObject({ kind: 'not_found' })
  })
})

describe('showing an account', () => {
  it('tells all there is of a login, and no secret', async () => {
    const odile = await harness.person('odile')
    const browser = harness.browser()
    await browser.submit(await browser.visit('/auth/sign_in'), { email: odile.email, password: odile.password })
    const shown = await harness.operator.readAccount(call(), { username: '@Odile' })
    expect(shown).toMatchObject({ login: { username: 'odile', email: odile.email }, locale: 'en', reason: '', apps: 1, browsers: 1 })
    expect(shown.lastSignInAtMilliseconds).toBeGreaterThan(0)
    expect(JSON.stringify(shown)).not.toMatch(/argon2|digest/)
    await expect(harness.operator.readAccount(call(), { username: 'nobody' })).rejects.toMatchObject({ kind: 'not_found' })
  })
})

describe('changing a role', () => {
  it('counts with the next request, and statuses hears of it', async () => {
    const pavel = await harness.person('pavel')
    const events = (await harness.events()).length
    expect(await harness.operator.setRole(call(), { username: 'pavel', role: 'moderator' })).toMatchObject({ role: 'moderator' })
    const digest = createHash('sha256').update(pavel.accessToken).digest()
    const { holders } = await harness.tokens.check(call(), { digests: [digest] })
    expect(holders[0]?.role).toBe('moderator')
    await harness.runJobs()
    expect(await harness.statuses.account(pavel.id)).toMatchObject({ role: 'moderator', isActive: true })
    expect((await harness.events()).length).toBe(events)
    await expect(harness.operator.setRole(call(), { username: 'pavel', role: 'king' })).rejects.toMatchObject({ kind: 'invalid' })
  })
})

describe('a password reset by the operator', () => {
  it('is a link that works once, for a day; nothing ends before it is used', async () => {
    const quinn = await harness.person('quinn')
    const { link } = await harness.operator.resetPassword(call(), { username: 'quinn', byMail: false })
    const digest = createHash('sha256').update(quinn.accessToken).digest()
    const stateOf = async () => (await harness.tokens.check(call(), { digests: [digest] })).holders[0]?.state
    expect(await stateOf()).toBe(TokenState.VALID)
    const browser = harness.browser()
    expect((await browser.submit(await browser.visit(link), { password: 'quinn knows more' })).text).toContain('Your password is changed')
    expect(await stateOf()).toBe(TokenState.REVOKED)
    expect((await browser.visit(link)).status).toBe(404)
    const other = await harness.operator.resetPassword(call(), { username: 'quinn', byMail: false })
    harness.pass(86_400_000)
    expect((await browser.visit(other.link)).status).toBe(404)
  })

  it('cannot be sent by a server without mail', async () => {
    await expect(harness.operator.resetPassword(call(), { username: 'quinn', byMail: true })).rejects.toMatchObject({ kind: 'invalid' })
  })
})

describe('sign-ups that wait for approval', () => {
  const waiting = async (approval: Harness, username: string) => {
    const browser = approval.browser()
    const typed = { username, email: `${username}@example.com`, password: 'a password', agreement: 'true', reason: 'tea' }
    await browser.submit(await browser.visit('/auth/sign_up'), typed)
    return typed
  }
  const signIn = async (approval: Harness, { email, password }: { email: string; password: string }) => {
    const browser = approval.browser()
    return browser.submit(await browser.visit('/auth/sign_in'), { email, password })
  }

  it('are let in, or leave nothing behind; who is notified', async () => {
    const mail = await startMailServer()
    const approval = await openHarness({ config: { registrations: 'approval', smtpUrl: mail.url } })
    const rosa = await waiting(approval, 'rosa')
    const sami = await waiting(approval, 'sami')
    expect((await signIn(approval, rosa)).status).toBe(403)
    const shown = await approval.operator.readAccount(call(), { username: 'rosa' })
    expect(shown).toMatchObject({ reason: 'tea', login: { isApproved: false } })
    expect(await approval.operator.approve(call(), { username: 'rosa' })).toMatchObject({ isApproved: true })
    await expect(approval.operator.approve(call(), { username: 'rosa' })).rejects.toMatchObject({
      kind: 'forbidden',
      message: 'The account does not wait for approval',
    })
    expect((await signIn(approval, rosa)).text).toContain('Signed in as @rosa')
    await expect(approval.operator.reject(call(), { username: 'rosa' })).rejects.toMatchObject({
      kind: 'forbidden',
      message: 'The account does not wait for approval',
    })
    await approval.operator.reject(call(), { username: 'sami' })
    expect(await approval.rows(`select 1 from auth.login where email = 'sami@example.com'`)).toEqual([])
    expect((await approval.statuses.accounts()).map(({ username }) => username)).toEqual(['rosa'])
    await approval.runJobs()
    expect(mail.letters.map(({ to, text }) => [to[0], /Subject: (.*)/.exec(text)?.[1]?.split(' on ')[0]?.split(' to ')[0]]).sort()).toEqual(
      [
        ['rosa@example.com', 'Welcome'],
        ['sami@example.com', 'Your sign-up'],
      ],
    )
    expect((await waiting(approval, 'sami')).username).toBe(sami.username)
    expect((await approval.statuses.accounts()).map(({ username }) => username)).toEqual(['rosa', 'sami'])
    await approval.close()
    await mail.close()
  })
})

describe('deleting an account', () => {
  it('is what its owner could do', async () => {
    const tara = await harness.person('tara')
    expect(await harness.operator.deleteAccount(call(), { username: 'tara' })).toMatchObject({ username: 'tara' })
    expect(await harness.statuses.account(tara.id)).toBeUndefined()
    await expect(harness.operator.deleteAccount(call(), { username: 'tara' })).rejects.toMatchObject({ kind: 'not_found' })
  })
})

describe('silencing and suspending', () => {
  it('silences in statuses alone', async () => {
    const { id } = await harness.person('sami')
    expect(await harness.operator.setSilenced(call(), { username: '@Sami', isSilenced: true })).toMatchObject({
      accountId: id,
      isDisabled: false,
    })
    expect(await harness.statuses.account(id)).toMatchObject({ isSilenced: true })
    await harness.operator.setSilenced(call(), { username: 'sami', isSilenced: false })
    expect(await harness.statuses.account(id)).toMatchObject({ isSilenced: false })
  })

  it('suspends in statuses and disables the login, and may be repeated', async () => {
    const { id } = await harness.person('sara')
    const suspend = (isSuspended: boolean) => harness.operator.setSuspended(call(), { username: 'sara', isSuspended })
    expect(await suspend(true)).toMatchObject({ isSuspended: true, isDisabled: false })
    expect(await suspend(true)).toMatchObject({ isSuspended: true })
    expect(await harness.statuses.account(id)).toMatchObject({ isSuspended: true })
    expect(harness.live.at(-1)).toEqual({ $case: 'loginClosed', value: { accountId: id } })
    expect(await suspend(false)).toMatchObject({ isSuspended: false })
    expect(await harness.statuses.account(id)).toMatchObject({ isSuspended: false })
    await expect(harness.operator.setSuspended(call(), { username: 'nobody', isSuspended: true })).rejects.toMatchObject({
      kind: 'not_found',
    })
  })
})

describe('an act that statuses does not hear of', () => {
  it.each([false, true])('is finished by a job, in its order; after it was done there: %s', async (after) => {
    const username = after ? 'tomas' : 'tilda'
    const { id } = await harness.person(username)
    harness.statuses.breaking = { call: 'applyAct', after }
    expect(await harness.operator.setSuspended(call(), { username, isSuspended: true })).toMatchObject({ isSuspended: true })
    await harness.operator.setSilenced(call(), { username, isSilenced: true })
    await harness.operator.setSilenced(call(), { username, isSilenced: false })
    expect(await harness.rows(`select act_id from auth.unfinished_act where account_id = ${id}`)).toHaveLength(3)
    harness.statuses.breaking = undefined
    await harness.runJobs()
    expect(await harness.statuses.account(id)).toMatchObject({ isSuspended: true, isSilenced: false })
    expect(await harness.rows(`select act_id from auth.unfinished_act where account_id = ${id}`)).toEqual([])
    const acts = await harness.rows(`select action, actor_id from auth.staff_act where account_id = ${id} order by id`)
    expect(acts).toEqual(['suspend', 'silence', 'unsilence'].map((action) => ({ action, actor_id: null })))
  })
})

describe('the last owner', () => {
  it('is not demoted, disabled, suspended or deleted, also where the last two go at once', async () => {
    for (const { username } of (await harness.operator.listAccounts(call(), {})).logins.filter(({ role }) => role === 'owner')) {
      await harness.operator.setRole(call(), { username, role: 'admin' }).catch(() => {})
    }
    for (const username of ['ulla', 'vera']) {
      await harness.person(username)
      await harness.operator.setRole(call(), { username, role: 'owner' })
    }
    for (const { username } of (await harness.operator.listAccounts(call(), {})).logins.filter(({ role }) => role === 'owner')) {
      if (!['ulla', 'vera'].includes(username)) await harness.operator.setRole(call(), { username, role: 'user' })
    }
    const refused = { kind: 'forbidden', message: 'The last owner cannot be demoted, suspended, disabled or deleted' }
    const both = await Promise.allSettled(
      ['ulla', 'vera'].map((username) => harness.operator.setDisabled(call(), { username, isDisabled: true })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const last = both[0]?.status === 'rejected' ? 'ulla' : 'vera'
    await expect(harness.operator.setRole(call(), { username: last, role: 'admin' })).rejects.toMatchObject(refused)
    await expect(harness.operator.setSuspended(call(), { username: last, isSuspended: true })).rejects.toMatchObject(refused)
    await expect(harness.operator.deleteAccount(call(), { username: last })).rejects.toMatchObject(refused)
    expect((await harness.operator.readAccount(call(), { username: last })).login).toMatchObject({ role: 'owner', isSuspended: false })
    await harness.operator.setDisabled(call(), { username: last === 'ulla' ? 'vera' : 'ulla', isDisabled: false })
    expect(await harness.operator.setRole(call(), { username: last, role: 'user' })).toMatchObject({ role: 'user' })
  })
})

describe('revoking tokens', () => {
  it('revokes one, or all of an account, and counts those that were good', async () => {
    const { id, accessToken } = await harness.person('nadia')
    const app = await harness.registerApp()
    await harness.rows(`insert into auth.access_token select sha256('x'), 1, ${app.id}, ${id}, '{read}', null, now(), null`)
    const before = (await harness.events()).length
    expect(await harness.operator.revokeToken(call(), { accessToken })).toEqual({ count: 1 })
    expect(await harness.operator.revokeToken(call(), { accessToken })).toEqual({ count: 0 })
    expect(await harness.operator.revokeToken(call(), { username: 'nadia' })).toEqual({ count: 1 })
    const events = (await harness.events()).slice(before)
    expect(events.map(({ $case }) => $case)).toEqual(['tokenRevoked', 'tokenRevoked'])
    await expect(harness.operator.revokeToken(call(), {})).rejects.toMatchObject({ kind: 'malformed' })
  })
})

describe('forgetting', () => {
  it('deletes what can no longer be used, and nothing else', async () => {
    const app = await harness.registerApp()
    const browser = harness.browser()
    const path = `/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: 'elk://x' })}`
    const nadia = { email: 'nadia@example.com', password: 'nadia knows' }
    await browser.submit(await browser.visit(path), nadia)
    const models = async () => (await harness.rows('select distinct model from auth.oidc_artifact order by 1')).map(({ model }) => model)
    expect(await models()).toEqual(['Interaction', 'Session'])
    harness.pass(2 * 3600_000)
    await harness.runJob('forget-expired')
    expect(await models()).toEqual(['Session'])
    harness.pass(31 * 86_400_000)
    await harness.runJob('forget-expired')
    expect(await models()).toEqual([])
  })
})
