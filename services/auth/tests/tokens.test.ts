import { createHash, randomBytes } from 'node:crypto'
import { LoginState, type TokenHolder, TokenState, TokensDefinition } from '@rookery/contracts/auth'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorize, call, codeOf, type Harness, openHarness, type Person } from './harness.ts'

let harness: Harness
let mara: Person

beforeAll(async () => {
  harness = await openHarness()
  mara = await harness.person('mara')
})
afterAll(() => harness.close())

const digestOf = (token: string) => createHash('sha256').update(token).digest()
const check = async (...tokens: string[]) => (await harness.tokens.check(call(), { digests: tokens.map(digestOf) })).holders

describe('checking tokens', () => {
  it('asks the database once for many, and answers in their order', async () => {
    const joel = await harness.person('joel')
    const strangers = Array.from({ length: 50 }, () => randomBytes(32).toString('base64url'))
    harness.statements.length = 0
    const holders = await check(joel.accessToken, ...strangers, mara.accessToken, joel.accessToken)
    expect(harness.statements).toHaveLength(1)
    expect(holders.map(({ accountId }) => accountId)).toEqual([joel.id, ...strangers.map(() => ''), mara.id, joel.id])
    expect(holders[1]).toMatchObject({ state: TokenState.UNKNOWN, scopes: [], loginState: LoginState.UNSPECIFIED })
  })

  it('says what the holder may do', async () => {
    const password = 'a long password'
    const admin = await harness.operator.createAccount(call(), {
      username: 'nadia',
      email: 'n@example.com',
      password,
      role: 'admin',
      tokenScopes: 'read write',
    })
    const [holder] = await check(admin.accessToken)
    expect(holder).toMatchObject({
      state: TokenState.VALID,
      loginState: LoginState.ACTIVE,
      role: 'admin',
      scopes: ['read', 'write'],
      appName: 'rookery command',
    })
    expect((holder?.permissions ?? 0) & PERMISSIONS.manageFederation).toBeTruthy()
    expect(holder?.tokenId).toMatch(/^\d+$/)
  })

  it('shows at once that a login was disabled, and enabled again', async () => {
    await harness.operator.setDisabled(call(), { username: 'mara', isDisabled: true })
    expect((await check(mara.accessToken))[0]).toMatchObject({ state: TokenState.VALID, loginState: LoginState.DISABLED })
    await harness.operator.setDisabled(call(), { username: 'mara', isDisabled: false })
    expect((await check(mara.accessToken))[0]).toMatchObject({ loginState: LoginState.ACTIVE })
  })

  it('takes nothing for nothing', async () => expect(await check()).toEqual([]))
})

describe('gateways forget whom tokens belong to, before the answer to', () => {
  const ACTS: [string, (person: Person) => Promise<unknown>, (holder: TokenHolder) => unknown][] = [
    ['a revocation', ({ accessToken }) => harness.operator.revokeToken(call(), { accessToken, username: '' }), ({ state }) => state],
    [
      'a revocation of all tokens',
      ({ username }) => harness.operator.revokeToken(call(), { accessToken: '', username }),
      ({ state }) => state,
    ],
    ['a disabling', ({ username }) => harness.operator.setDisabled(call(), { username, isDisabled: true }), ({ loginState }) => loginState],
    [
      'a suspension',
      ({ username }) => harness.operator.setSuspended(call(), { username, isSuspended: true }),
      ({ loginState }) => loginState,
    ],
    ['another role', ({ username }) => harness.operator.setRole(call(), { username, role: 'moderator' }), ({ role }) => role],
    ['a deletion', ({ username }) => harness.operator.deleteAccount(call(), { username }), ({ state }) => state],
  ]
  it.each(ACTS.map((act, index) => [...act, index] as const))('%s', async (_name, act, changing, index) => {
    const stamp = harness.invalidations.watch(TokensDefinition.fullName)
    const person = await harness.person(`forgotten${index}`)
    const [before] = await check(person.accessToken)
    const stampBefore = stamp()
    await act(person)
    const stampAfter = stamp()
    const [after] = await check(person.accessToken)
    expect(changing(after!)).not.toEqual(changing(before!))
    expect(stampAfter).not.toBe(stampBefore)
  })

  it('a revocation by the app itself', async () => {
    const app = await harness.registerApp()
    const credentials = { client_id: app.client_id, client_secret: app.client_secret }
    const { json } = await harness.post('/oauth/token', { grant_type: 'client_credentials', ...credentials })
    expect((await check(json.access_token))[0]).toMatchObject({ state: TokenState.VALID })
    const stamp = harness.invalidations.watch(TokensDefinition.fullName)
    const before = stamp()
    expect((await harness.post('/oauth/revoke', { token: json.access_token, ...credentials })).status).toBe(200)
    expect(stamp()).not.toBe(before)
    expect((await check(json.access_token))[0]).toMatchObject({ state: TokenState.REVOKED })
  })
})

describe('what the database knows', () => {
  it('is no token, code, session, secret or password', async () => {
    const app = await harness.registerApp()
    const browser = harness.browser()
    const seen: string[] = []
    const noted = async (address: string) => {
      const response = await browser.go(address)
      for (const line of response.headers.getSetCookie()) seen.push(/^[^=]+=([^;]*)/.exec(line)?.[1] ?? '')
      return response
    }
    await noted(`/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: 'elk://x' })}`)
    const back = await authorize(browser, { client_id: app.client_id, redirect_uri: 'elk://x' }, mara)
    const again = await authorize(browser, { client_id: app.client_id, redirect_uri: 'elk://x' }, mara)
    const { json } = await harness.post('/oauth/token', {
      grant_type: 'authorization_code',
      code: codeOf(back),
      redirect_uri: 'elk://x',
      client_id: app.client_id,
      client_secret: app.client_secret,
    })
    const secrets = [
      json.access_token,
      mara.accessToken,
      codeOf(back),
      codeOf(again),
      app.client_secret,
      mara.password,
      browser.cookie('rookery_session'),
    ]
    const tables = await harness.rows(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('auth', 'auth_jobs')`,
    )
    for (const { name } of tables) {
      const dump = JSON.stringify(await harness.rows(`select t::text from ${name} t`))
      for (const secret of secrets) expect(dump.includes(secret), `${name} holds ${secret}`).toBe(false)
    }
  })
})
