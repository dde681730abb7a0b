import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { TokenState } from '@rookery/contracts/auth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorize, type ClientApp, call, codeOf, type Harness, openHarness, type Person } from './harness.ts'

const DESCRIPTIONS = {
  invalid_client:
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  invalid_grant:
    'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  invalid_scope: 'The requested scope is invalid, unknown, or malformed.',
  unsupported_grant_type: 'The authorization grant type is not supported by the authorization server.',
  unauthorized_client: 'You are not authorized to revoke this token',
} as const

let harness: Harness
let app: ClientApp
let other: ClientApp
let mara: Person

beforeAll(async () => {
  harness = await openHarness({ config: { hasRateLimits: false } })
  app = await harness.registerApp('elk://x\nhttps://app.example/cb', 'read write')
  other = await harness.registerApp()
  mara = await harness.person('mara')
})
afterAll(async () => {
  expect(harness.logged).toEqual([])
  await harness.close()
})

const secretsOf = ({ client_id, client_secret }: ClientApp) => ({ client_id, client_secret })
const newCode = async (scope = 'read') =>
  codeOf(await authorize(harness.browser(), { client_id: app.client_id, redirect_uri: 'elk://x', scope }, mara))
const exchange = (form: Record<string, string>) =>
  harness.post('/oauth/token', { grant_type: 'authorization_code', redirect_uri: 'elk://x', ...secretsOf(app), ...form })
const stateOf = async (token: string) => {
  const { holders } = await harness.tokens.check(call(), { digests: [createHash('sha256').update(token).digest()] })
  return holders[0]?.state
}
const expectFault = (answer: { status: number; headers: Headers; json: unknown }, status: number, error: keyof typeof DESCRIPTIONS) => {
  expect(answer).toMatchObject({ status, json: { error, error_description: DESCRIPTIONS[error] } })
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  const challenge = `Bearer realm="Rookery", error="${error}", error_description="${DESCRIPTIONS[error]}"`
  expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? challenge : null)
}

describe('POST /oauth/token refuses', () => {
  const credentials = (form: Record<string, string>) => harness.post('/oauth/token', { grant_type: 'client_credentials', ...form })

  it.each([
    ['a wrong secret', () => credentials({ client_id: app.client_id, client_secret: 'x' })],
    ['an unknown app', () => credentials({ client_id: 'x', client_secret: 'x' })],
    ['no app', () => credentials({})],
    ['no secret', () => credentials({ client_id: app.client_id })],
    [
      'a secret that differs from Basic',
      () =>
        harness.post(
          '/oauth/token',
          { grant_type: 'client_credentials', ...secretsOf(app), client_secret: 'x' },
          { authorization: `Basic ${btoa(`${app.client_id}:${app.client_secret}`)}` },
        ),
    ],
    [
      'Basic of nonsense',
      () => harness.post('/oauth/token', { grant_type: 'client_credentials' }, { authorization: `Basic ${btoa('%zz:%zz')}` }),
    ],
  ])('%s: invalid_client', async (_what, send) => expectFault(await send(), 401, 'invalid_client'))

  it.each(['zzz', 'admin:read', 'push', 'openid', 'read zzz'])('the scope %s for an app with read and write', async (scope) => {
    expectFault(await credentials({ ...secretsOf(app), scope }), 400, 'invalid_scope')
  })

  it('grants it does not offer', async () => {
    for (const grant_type of ['password', 'refresh_token', 'implicit', 'x']) {
      expectFault(await harness.post('/oauth/token', { ...secretsOf(app), grant_type }), 400, 'unsupported_grant_type')
    }
  })

  it.each([
    ['grant_type', () => harness.post('/oauth/token', secretsOf(app))],
    ['code', () => exchange({})],
    ['redirect_uri', async () => exchange({ code: await newCode(), redirect_uri: '' })],
  ])('a request without %s', async (name, send) => {
    expect(await send()).toMatchObject({
      status: 400,
      json: { error: 'invalid_request', error_description: `Missing required parameter: ${name}.` },
    })
  })

  it('a code that is made up', async () => expectFault(await exchange({ code: 'made-up' }), 400, 'invalid_grant'))

  it("another app's code", async () => expectFault(await exchange({ code: await newCode(), ...secretsOf(other) }), 400, 'invalid_grant'))

  it('another redirect URI than the one used', async () => {
    expectFault(await exchange({ code: await newCode(), redirect_uri: 'https://app.example/cb' }), 400, 'invalid_grant')
  })

  it('a code used before, and revokes what came of it', async () => {
    const code = await newCode()
    const { json } = await exchange({ code })
    expectFault(await exchange({ code }), 400, 'invalid_grant')
    expect(await stateOf(json.access_token)).toBe(TokenState.REVOKED)
  })

  /** An exchange that has arrived: the server has its head, and waits for the body that `finish` sends. */
  const arrivedExchange = async (code: string) => {
    const body = new URLSearchParams({ grant_type: 'authorization_code', redirect_uri: 'elk://x', ...secretsOf(app), code }).toString()
    const socket = connect(Number(new URL(harness.origin).port), '127.0.0.1')
    const said = new Promise<string>((resolve, reject) => {
      let text = ''
      socket.on('data', (chunk) => (text += chunk)).on('close', () => resolve(text))
      socket.on('error', reject)
    })
    const head = `POST /oauth/token HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n`
    const arrived = harness.arrival()
    socket.write(`${head}Content-Type: application/x-www-form-urlencoded\r\n\r\n`)
    await arrived
    return {
      async finish() {
        socket.write(body)
        const [first = '', text = ''] = (await said).split('\r\n\r\n')
        return { status: Number(first.split(' ')[1]), json: JSON.parse(text) }
      },
    }
  }

  it('all but one of many exchanges of one code at once, which keeps its token', async () => {
    const code = await newCode()
    const exchanges = []
    while (exchanges.length < 8) exchanges.push(await arrivedExchange(code))
    const answers = await Promise.all(exchanges.map(({ finish }) => finish()))
    const [granted, ...others] = answers.toSorted((one, other) => one.status - other.status)
    expect(granted?.status).toBe(200)
    for (const { status, json } of others) expect([status, json.error]).toEqual([400, 'invalid_grant'])
    expect(await stateOf(granted?.json.access_token)).toBe(TokenState.VALID)
    expectFault(await exchange({ code }), 400, 'invalid_grant')
    expect(await stateOf(granted?.json.access_token)).toBe(TokenState.REVOKED)
  })

  it('an exchange that came while another was answered, and leaves its token alone', async () => {
    const code = await newCode()
    const slow = await arrivedExchange(code)
    const { json } = await exchange({ code })
    expect((await slow.finish()).status).toBe(400)
    expect(await stateOf(json.access_token)).toBe(TokenState.VALID)
  })

  it('a replay by who does not know the verifier, and revokes nothing', async () => {
    const verifier = 'v'.repeat(43)
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const query = { client_id: app.client_id, redirect_uri: 'elk://x', code_challenge: challenge, code_challenge_method: 'S256' }
    const code = codeOf(await authorize(harness.browser(), query, mara))
    const { json } = await exchange({ code, code_verifier: verifier })
    for (const guess of [{}, { code_verifier: 'w'.repeat(43) }]) expectFault(await exchange({ code, ...guess }), 400, 'invalid_grant')
    expect(await stateOf(json.access_token)).toBe(TokenState.VALID)
    expectFault(await exchange({ code, code_verifier: verifier }), 400, 'invalid_grant')
    expect(await stateOf(json.access_token)).toBe(TokenState.REVOKED)
  })

  it('a verifier where no challenge was given', async () => {
    expectFault(await exchange({ code: await newCode(), code_verifier: 'v'.repeat(43) }), 400, 'invalid_grant')
  })

  it('a code of someone who signed out everywhere since', async () => {
    const nadia = await harness.person('nadia')
    const browser = harness.browser()
    const query = { client_id: app.client_id, redirect_uri: 'elk://x' }
    const code = codeOf(await authorize(browser, query, nadia))
    await browser.submit(await browser.visit('/auth/account'), {}, '/auth/account/everywhere')
    expectFault(await exchange({ code }), 400, 'invalid_grant')
  })

  it('a code after ten minutes', async () => {
    const code = await newCode()
    harness.pass(10 * 60_000 + 1000)
    expectFault(await exchange({ code }), 400, 'invalid_grant')
  })

  it('the code of someone disabled since', async () => {
    const joel = await harness.person('joel')
    const code = codeOf(await authorize(harness.browser(), { client_id: app.client_id, redirect_uri: 'elk://x' }, joel))
    await harness.operator.setDisabled(call(), { username: 'joel', isDisabled: true })
    expectFault(await exchange({ code }), 400, 'invalid_grant')
  })

  it('a wider scope than was approved, but takes an equal one', async () => {
    const code = await newCode('read')
    expectFault(await exchange({ code, scope: 'read write' }), 400, 'invalid_scope')
    expect(await exchange({ code, scope: 'read' })).toMatchObject({ status: 200, json: { scope: 'read' } })
  })
})

describe('POST /oauth/revoke', () => {
  const revoke = (form: Record<string, string>) => harness.post('/oauth/revoke', { ...secretsOf(app), ...form })
  const newToken = async (scope = 'read'): Promise<string> => (await exchange({ code: await newCode(scope) })).json.access_token

  it('revokes one token and leaves the others of the same person and app', async () => {
    const [token, kept] = [await newToken(), await newToken('write')]
    for (let times = 0; times < 2; times++) expect(await revoke({ token })).toMatchObject({ status: 200, json: {} })
    expect(await stateOf(token)).toBe(TokenState.REVOKED)
    expect(await stateOf(kept)).toBe(TokenState.VALID)
  })

  it('revokes the token of an app itself', async () => {
    const { json } = await harness.post('/oauth/token', { grant_type: 'client_credentials', ...secretsOf(app) })
    expect((await revoke({ token: json.access_token })).status).toBe(200)
    expect(await stateOf(json.access_token)).toBe(TokenState.REVOKED)
  })

  it('takes a token no one has for revoked', async () => expect((await revoke({ token: 'x' })).status).toBe(200))

  it("refuses another app's token and no token", async () => {
    const token = await newToken()
    expectFault(await revoke({ token, ...secretsOf(other) }), 403, 'unauthorized_client')
    expectFault(await revoke({}), 403, 'unauthorized_client')
    expect(await stateOf(token)).toBe(TokenState.VALID)
  })

  it('refuses an app that cannot say its secret', async () => {
    const token = await newToken()
    expectFault(await revoke({ token, client_secret: 'x' }), 401, 'invalid_client')
    expect(await stateOf(token)).toBe(TokenState.VALID)
  })

  it('says so to consumers and, at once, to open streams', async () => {
    const token = await newToken()
    const { holders } = await harness.tokens.check(call(), { digests: [createHash('sha256').update(token).digest()] })
    const tokenId = holders[0]?.tokenId ?? ''
    await revoke({ token })
    expect(harness.live).toContainEqual({ $case: 'tokenRevoked', value: { tokenId } })
    expect((await harness.events()).at(-1)).toEqual({ $case: 'tokenRevoked', value: { tokenId, accountId: mara.id } })
  })
})

describe('GET /oauth/authorize shows a page with status 400, and redirects nowhere, for', () => {
  const query = (more: Record<string, string>) =>
    new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: 'elk://x', ...more })

  it.each([
    ['an unknown app', { client_id: 'nope' }, 'invalid_client'],
    ['no app', { client_id: '' }, 'invalid_client'],
    ['another redirect URI', { redirect_uri: 'https://evil.example/' }, 'invalid_request'],
    ['a redirect URI that differs by a letter', { redirect_uri: 'elk://X' }, 'invalid_request'],
    ['no redirect URI', { redirect_uri: '' }, 'invalid_request'],
    ['a scope the app did not register', { scope: 'read push' }, 'invalid_scope'],
    ['an unknown scope', { scope: 'zzz' }, 'invalid_scope'],
    ['openid', { scope: 'openid' }, 'invalid_scope'],
    ['a NUL', { state: 'a\0b' }, 'invalid_request'],
    ['no response type', { response_type: '' }, 'invalid_request'],
    ['a token at once', { response_type: 'token' }, 'unsupported_response_type'],
    ['a token in the fragment', { response_type: 'code id_token', response_mode: 'fragment' }, 'unsupported_response_type'],
    ['nothing by a form', { response_type: 'none', response_mode: 'form_post' }, 'unsupported_response_type'],
  ])('%s', async (_what, more, error) => {
    const page = await harness.browser().go(`/oauth/authorize?${query(more)}`)
    expect(page).toMatchObject({ status: 400, location: undefined, text: expect.stringContaining(error) })
    expect(page.headers.get('content-type')).toContain('text/html')
    const json = await harness.request(`/oauth/authorize?${query(more)}`, { headers: { accept: 'application/json' } })
    expect(json).toMatchObject({ status: 400, json: { error, error_description: expect.any(String) } })
  })

  it('a parameter given twice', async () => {
    expect((await harness.browser().go(`/oauth/authorize?${query({})}&client_id=x`)).status).toBe(400)
  })
})

describe('pages that are over', () => {
  it('say so, to another browser too', async () => {
    const browser = harness.browser()
    const page = await browser.submit(
      await browser.visit(
        `/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: 'elk://x' })}`,
      ),
      mara,
    )
    const path = /action="([^"]+)\/approve"/.exec(page.text)?.[1] ?? ''
    for (const answer of [
      await harness.browser().go(path),
      await browser.go('/oauth/interaction/made-up'),
      await browser.go('/oauth/authorize/made-up'),
    ]) {
      expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('This took too long') })
    }
    harness.pass(61 * 60_000)
    expect(await browser.go(path)).toMatchObject({ status: 400, text: expect.stringContaining('This took too long') })
  })

  it('refuse forms that are not ours', async () => {
    const browser = harness.browser()
    const page = await browser.visit(
      `/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: app.client_id, redirect_uri: 'elk://x' })}`,
    )
    const path = /action="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    for (const form_token of ['', 'x'.repeat(43), 'ä'.repeat(43)]) {
      const body = new URLSearchParams({ email: mara.email, password: mara.password, form_token })
      expect(await browser.go(path, { method: 'POST', body })).toMatchObject({ status: 403, location: undefined })
    }
  })
})

describe('input no one should send', () => {
  const manyKeys = (count: number) => JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, ''])))
  const bodies: [string, string, string | Buffer][] = [
    ['broken JSON', 'application/json', '{"grant_type":'],
    ['a JSON list', 'application/json', '[]'],
    ['nested JSON', 'application/json', '{"client_id":{"a":1},"grant_type":"x"}'],
    ['NUL', 'application/json', '{"client_id":"a\\u0000b"}'],
    ['a broken multipart form', 'multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1'],
    ['multipart without a boundary', 'multipart/form-data', 'x'],
    ['parameters twice', 'application/x-www-form-urlencoded', 'client_id=a&client_id=b'],
    ['form bytes that are no UTF-8', 'application/x-www-form-urlencoded', Buffer.from([0x61, 0x3d, 0xff, 0xfe])],
    ['escapes that are no UTF-8', 'application/x-www-form-urlencoded', 'client_id=%ff'],
    ['a JSON document of 2,001 keys', 'application/json', manyKeys(2001)],
    ['JSON of 17 levels', 'application/json', `{"a":${'['.repeat(17)}${']'.repeat(17)}}`],
    ['2,001 parameters', 'application/x-www-form-urlencoded', 'a=b&'.repeat(2001)],
    ['a type that is none', 'image/png', 'x'],
    ['more than 64 KiB', 'application/x-www-form-urlencoded', `client_id=${'a'.repeat(70_000)}`],
    ['compressed rubbish', 'application/json', Buffer.from([1, 2, 3])],
  ]

  it.each(bodies)('%s is a JSON error', async (name, type, body) => {
    const encoding: Record<string, string> = name.startsWith('compressed') ? { 'content-encoding': 'gzip' } : {}
    for (const path of ['/oauth/token', '/oauth/revoke']) {
      const answer = await harness.request(path, { method: 'POST', headers: { 'content-type': type, ...encoding }, body })
      expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request', error_description: expect.any(String) } })
    }
  })

  it('prototype keys change nothing', async () => {
    const form = '__proto__[client_id]=x&constructor=y&grant_type=x'
    const answer = await harness.request('/oauth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form,
    })
    expectFault(answer, 401, 'invalid_client')
  })

  it('a body without an end is refused after 64 KiB', async () => {
    const { port } = new URL(harness.origin)
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1')
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
        if (text.includes('}')) socket.destroy()
      })
      socket.on('close', () => resolve(text))
      socket.on('error', reject)
      socket.write('POST /oauth/token HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
      socket.write(`${(70_000).toString(16)}\r\n${'a'.repeat(70_000)}\r\n`)
    })
    expect(answer).toMatch(/^HTTP\/1\.1 400/)
    expect(answer).toContain('invalid_request')
  })
})

describe('other addresses', () => {
  it('answer 404, as JSON or as a page, for unknown paths and wrong methods', async () => {
    for (const [method, path] of [
      ['GET', '/oauth/token'],
      ['DELETE', '/oauth/revoke'],
      ['GET', '/oauth/jwks'],
      ['POST', '/auth/x'],
      ['GET', '/.well-known/openid-configuration'],
    ]) {
      const answer = await harness.request(path ?? '', { method: method ?? '', headers: { accept: 'application/json' } })
      expect(answer).toMatchObject({ status: 404, json: { error: expect.any(String) } })
    }
    expect((await harness.browser().go('/auth/nothing')).text).toContain('There is nothing here')
  })

  it('describe the server, to pages of any origin', async () => {
    const { json, headers } = await harness.request('/.well-known/oauth-authorization-server')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(json).toMatchObject({
      issuer: `${harness.origin}/`,
      authorization_endpoint: `${harness.origin}/oauth/authorize`,
      token_endpoint: `${harness.origin}/oauth/token`,
      revocation_endpoint: `${harness.origin}/oauth/revoke`,
      app_registration_endpoint: `${harness.origin}/api/v1/apps`,
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      code_challenge_methods_supported: ['S256'],
    })
    expect(json.scopes_supported).toContain('write:statuses')
    expect((await harness.request('/.well-known/oauth-authorization-server', { method: 'HEAD' })).status).toBe(200)
  })

  it('let pages of any origin ask first', async () => {
    const headers = {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    }
    for (const path of ['/oauth/token', '/oauth/revoke']) {
      const answer = await harness.request(path, { method: 'OPTIONS', headers })
      expect(answer.status).toBe(204)
      expect(answer.headers.get('access-control-allow-methods')).toContain('POST')
      expect(answer.headers.get('access-control-allow-headers')).toContain('content-type')
    }
  })
})
