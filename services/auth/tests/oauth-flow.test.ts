import { createHash } from 'node:crypto'
import { TokenState } from '@rookery/contracts/auth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorize, type ClientApp, call, codeOf, type Harness, openHarness, type Person } from './harness.ts'

const OOB = 'urn:ietf:wg:oauth:2.0:oob'
const URIS = [
  'https://app.example/cb',
  'https://app.example/api/rookery.example/oauth/https%3A%2F%2Felk.zone?a=%20b',
  'http://localhost:3000/cb',
  'http://lan.example/cb',
  'elk://x',
  'com.tapbots.Ivory.10217:/request_token',
  OOB,
]

let harness: Harness
let app: ClientApp
let mara: Person
let joel: Person

beforeAll(async () => {
  harness = await openHarness({ config: { hasRateLimits: false } })
  app = await harness.registerApp(URIS.join('\n'))
  mara = await harness.person('mara')
  joel = await harness.person('joel')
})
afterAll(async () => {
  expect(harness.logged).toEqual([])
  await harness.close()
})

const secrets = () => ({ client_id: app.client_id, client_secret: app.client_secret })
const asked = (more: Record<string, string> = {}) => ({ client_id: app.client_id, redirect_uri: 'elk://x', ...more })
const exchange = (code: string, redirectUri = 'elk://x', more: Record<string, string> = {}) =>
  harness.post('/oauth/token', { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...secrets(), ...more })
const holderOf = async (token: string) => {
  const { holders } = await harness.tokens.check(call(), { digests: [createHash('sha256').update(token).digest()] })
  return holders[0]
}

describe('the code flow', () => {
  it.each(URIS)('returns to %s byte for byte', async (uri) => {
    const query = asked({ redirect_uri: uri, scope: 'read write:statuses', state: 's +1' })
    const back = await authorize(harness.browser(), query, mara)
    const code = codeOf(back)
    if (uri !== OOB) expect(back.location).toBe(`${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams({ code, state: 's +1' })}`)
    const { status, json } = await exchange(code, uri)
    expect(status).toBe(200)
    expect(json).toEqual({
      access_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      token_type: 'Bearer',
      scope: 'read write:statuses',
      created_at: expect.any(Number),
    })
    expect(await holderOf(json.access_token)).toMatchObject({ state: TokenState.VALID, accountId: mara.id, appId: app.id, appName: 'Elk' })
  })

  it('asks for read when no scope is named, and takes plus signs for spaces', async () => {
    const plain = await exchange(codeOf(await authorize(harness.browser(), asked(), mara)))
    expect(plain.json.scope).toBe('read')
    const two = await exchange(codeOf(await authorize(harness.browser(), asked({ scope: 'read+push' }), mara)))
    expect(two.json.scope).toBe('read push')
  })

  it('grants a granular scope to an app registered with its umbrella', async () => {
    const back = await authorize(harness.browser(), asked({ scope: 'read:accounts write:blocks' }), mara)
    expect((await exchange(codeOf(back))).json.scope).toBe('read:accounts write:blocks')
  })

  it('works below a trailing slash', async () => {
    const page = await harness.browser().visit(`/oauth/authorize/?${new URLSearchParams({ response_type: 'code', ...asked() })}`)
    expect(page.text).toContain('name="password"')
  })

  it('needs no password the second time, but asks for approval again, and gives the same token', async () => {
    const browser = harness.browser()
    const first = await exchange(codeOf(await authorize(browser, asked(), mara)))
    const page = await browser.visit(`/oauth/authorize?${new URLSearchParams({ response_type: 'code', ...asked() })}`)
    expect(page.text).not.toContain('name="password"')
    expect(page.text).toContain('@mara')
    const second = await exchange(codeOf(await browser.submit(page, { answer: 'allow' })))
    expect(second.json).toEqual(first.json)
    expect(await holderOf(first.json.access_token)).toMatchObject({ state: TokenState.VALID })
  })

  it('signs in as someone else with force_login, and forgets no one without it', async () => {
    const browser = harness.browser()
    const first = await exchange(codeOf(await authorize(browser, asked(), mara)))
    const stays = await authorize(browser, asked({ force_login: 'false' }), joel)
    expect(await holderOf((await exchange(codeOf(stays))).json.access_token)).toMatchObject({ accountId: mara.id })
    const changes = await authorize(browser, asked({ force_login: 'true' }), joel)
    expect(await holderOf((await exchange(codeOf(changes))).json.access_token)).toMatchObject({ accountId: joel.id })
    expect(await holderOf(first.json.access_token)).toMatchObject({ state: TokenState.VALID, accountId: mara.id })
  })

  it('asks a user whose login was disabled after signing in to sign in again, before approval and after it', async () => {
    const browser = harness.browser()
    const noa = await harness.person('noa')
    const query = new URLSearchParams({ response_type: 'code', ...asked() })
    await authorize(browser, asked(), noa)
    const approval = await browser.visit(`/oauth/authorize?${query}`)
    await harness.operator.setDisabled(call(), { username: 'noa', isDisabled: true })
    expect((await browser.submit(approval, { answer: 'allow' })).text).toContain('name="password"')
    expect((await browser.visit(`/oauth/authorize?${query}`)).text).toContain('name="password"')
  })

  it('offers another account on the approval page', async () => {
    const browser = harness.browser()
    await authorize(browser, asked(), mara)
    const page = await browser.visit(`/oauth/authorize?${new URLSearchParams({ response_type: 'code', ...asked({ state: 'kept' }) })}`)
    const other = /href="(\/oauth\/authorize\?[^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const again = await browser.visit(other)
    expect(again.text).toContain('name="password"')
    const approval = await browser.submit(again, { email: joel.email, password: joel.password })
    const back = await browser.submit(approval, { answer: 'allow' })
    expect(new URL(back.location ?? '').searchParams.get('state')).toBe('kept')
    expect(await holderOf((await exchange(codeOf(back))).json.access_token)).toMatchObject({ accountId: joel.id })
  })

  it('lets two people sign in in one browser at once, each to their own answer', async () => {
    const browser = harness.browser()
    const pages = [await browser.visit(`/oauth/authorize?${new URLSearchParams({ response_type: 'code', ...asked() })}`)]
    pages.push(await browser.visit(`/oauth/authorize?${new URLSearchParams({ response_type: 'code', ...asked() })}`))
    await browser.submit(pages[1]!, { email: joel.email, password: joel.password })
    const approval = await browser.submit(pages[0]!, { email: mara.email, password: mara.password })
    const back = await browser.submit(approval, { answer: 'allow' })
    expect(await holderOf((await exchange(codeOf(back))).json.access_token)).toMatchObject({ accountId: mara.id })
  })

  it.each(['query', 'unknown', ''])('returns in the query when the response mode is "%s"', async (response_mode) => {
    const back = await authorize(harness.browser(), asked({ response_mode }), mara)
    expect((await exchange(codeOf(back))).status).toBe(200)
  })

  it('returns in the fragment to an app that asks for it, answers and denials alike', async () => {
    const query = asked({ redirect_uri: URIS[1]!, response_mode: 'fragment', state: 's +1' })
    const back = new URL((await authorize(harness.browser(), query, mara)).location ?? '')
    const said = new URLSearchParams(back.hash.slice(1))
    expect([back.search, [...said.keys()], said.get('state')]).toEqual(['?a=%20b', ['code', 'state'], 's +1'])
    expect((await exchange(said.get('code') ?? '', URIS[1])).status).toBe(200)
    const denied = await authorize(harness.browser(), query, mara, 'deny')
    expect(denied.location).toMatch(/^https:\/\/app\.example\/[^#]+\?a=%20b#error=access_denied&/)
  })

  it('keeps the response mode while another account signs in', async () => {
    const browser = harness.browser()
    await authorize(browser, asked(), mara)
    const query = new URLSearchParams({ response_type: 'code', ...asked({ response_mode: 'fragment' }) })
    const page = await browser.visit(`/oauth/authorize?${query}`)
    const other = /href="(\/oauth\/authorize\?[^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const approval = await browser.submit(await browser.visit(other), { email: joel.email, password: joel.password })
    expect((await browser.submit(approval, { answer: 'allow' })).location).toMatch(/^elk:\/\/x#code=/)
  })

  it('returns by a form that submits itself to an app that asks for it, and to no other place', async () => {
    const uri = 'https://x.example/cb?a=1&b=2'
    const client = await harness.registerApp(uri)
    const query = { client_id: client.client_id, redirect_uri: uri, response_mode: 'form_post', state: '"><b>' }
    const page = await authorize(harness.browser(), query, mara)
    expect(page).toMatchObject({ status: 200, location: undefined })
    expect(page.text).toContain('<form method="post" action="https://x.example/cb?a=1&amp;b=2">')
    const fields = [...page.text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, name, value]) => [name, value])
    expect(fields).toEqual([
      ['code', expect.stringMatching(/^[\w-]+$/)],
      ['state', '&quot;&gt;&lt;b&gt;'],
    ])
    const script = /<script>([^<]*)<\/script>/.exec(page.text)?.[1] ?? ''
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    expect(policy).toContain('form-action https:;')
  })

  it('shows the code for copying whatever the response mode', async () => {
    const shown = await authorize(harness.browser(), asked({ redirect_uri: OOB, response_mode: 'form_post' }), mara)
    expect((await exchange(codeOf(shown), OOB)).status).toBe(200)
  })

  it('tells the app when it is not let in', async () => {
    const back = await authorize(harness.browser(), asked({ state: 'abc' }), mara, 'deny')
    const said = new URLSearchParams({
      error: 'access_denied',
      error_description: 'The resource owner or authorization server denied the request.',
      state: 'abc',
    })
    expect(back.location).toBe(`elk://x?${said}`)
    const shown = await authorize(harness.browser(), asked({ redirect_uri: OOB }), mara, 'deny')
    expect(shown).toMatchObject({ status: 400, text: expect.stringContaining('was not let in') })
  })

  it('shows a code for copying once it is good, and no other text', async () => {
    const browser = harness.browser()
    const code = codeOf(await authorize(browser, asked({ redirect_uri: OOB }), mara))
    expect((await browser.go(`/oauth/authorize/native?code=${code}`)).status).toBe(200)
    await exchange(code, OOB)
    for (const gone of [code, 'made%20up', '']) {
      const page = await browser.go(`/oauth/authorize/native?code=${gone}`)
      expect(page).toMatchObject({ status: 400, text: expect.stringContaining('invalid_grant') })
    }
  })
})

describe('an app that is authorised again', () => {
  const sevi = () => harness.person(`sevi_${++people}`)
  let people = 0
  const authorised = async (person: Person, scope: string, client = app) => {
    const query = { client_id: client.client_id, redirect_uri: 'elk://x', scope }
    const code = codeOf(await authorize(harness.browser(), query, person))
    const { client_id, client_secret } = client
    return (await exchange(code, 'elk://x', { client_id, client_secret })).json.access_token as string
  }
  const stateOf = async (token: string) => (await holderOf(token))?.state

  it('holds the same token for the same scopes, in any order, and however often', async () => {
    const person = await sevi()
    const token = await authorised(person, 'read write')
    for (let times = 0; times < 12; times++) expect(await authorised(person, times % 2 ? 'read write' : 'write read')).toBe(token)
    expect(await stateOf(token)).toBe(TokenState.VALID)
  })

  it('holds another token for other scopes, another person and another app, and each lasts', async () => {
    const [one, two] = [await sevi(), await sevi()]
    const other = await harness.registerApp()
    const tokens = [
      await authorised(one, 'read'),
      await authorised(one, 'read write'),
      await authorised(one, 'write'),
      await authorised(two, 'read'),
      await authorised(one, 'read', other),
    ]
    expect(new Set(tokens).size).toBe(5)
    for (const token of tokens) expect(await stateOf(token)).toBe(TokenState.VALID)
  })

  it('holds a new token once the one before was revoked', async () => {
    const person = await sevi()
    const before = await authorised(person, 'read')
    await harness.post('/oauth/revoke', { ...secrets(), token: before })
    const after = await authorised(person, 'read')
    expect(after).not.toBe(before)
    expect([await stateOf(before), await stateOf(after)]).toEqual([TokenState.REVOKED, TokenState.VALID])
    expect(await authorised(person, 'read')).toBe(after)
  })

  it('comes to one token when two codes are exchanged at once', async () => {
    const person = await sevi()
    const query = { client_id: app.client_id, redirect_uri: 'elk://x', scope: 'read' }
    const codes = [await authorize(harness.browser(), query, person), await authorize(harness.browser(), query, person)].map(codeOf)
    const [one, other] = await Promise.all(codes.map((code) => exchange(code)))
    expect([one!.status, other!.status]).toEqual([200, 200])
    expect(other!.json).toEqual(one!.json)
  })

  it('leaves tokens alone that were made before they could be given again', async () => {
    const person = await sevi()
    const before = await authorised(person, 'read')
    await harness.write(`update auth.access_token set nonce = null where account_id = $1 and scopes = '{read}'`, [person.id])
    const after = await authorised(person, 'read')
    expect(after).not.toBe(before)
    expect([await stateOf(before), await stateOf(after)]).toEqual([TokenState.VALID, TokenState.VALID])
  })
})

describe('who has not signed in', () => {
  const path = () => `/oauth/authorize?${new URLSearchParams({ response_type: 'code', ...asked({ state: 'kept' }) })}`

  it('leaves nothing in the database, however often they come, with cookies or without', async () => {
    const browser = harness.browser()
    for (let times = 0; times < 5; times++) {
      const page = await browser.visit(path())
      await browser.submit(page, { email: mara.email, password: 'wrong' })
      await harness.request(path())
    }
    expect(await harness.rows('select model from auth.oidc_artifact where account_id is null')).toEqual([])
  })

  it('goes on to the app with the request they came with, however long', async () => {
    const state = 's '.repeat(1500)
    const browser = harness.browser()
    const page = await browser.visit(`/oauth/authorize?${new URLSearchParams({ response_type: 'code', ...asked({ state }) })}`)
    expect(page.text).toContain('Elk')
    const approval = await browser.submit(await browser.submit(page, { email: mara.email, password: 'wrong' }), mara)
    const back = await browser.submit(approval, { answer: 'allow' })
    expect(new URL(back.location ?? '').searchParams.get('state')).toBe(state)
  })

  it('is led nowhere but to a request that is judged, regardless of what the address of the page carries', async () => {
    const carried = (text: string) => Buffer.from(text).toString('base64url')
    const evil = new URLSearchParams({ response_type: 'code', ...asked({ redirect_uri: 'https://evil.example/' }) })
    for (const [authorize, shown] of [
      [carried('//evil.example/'), 'Signed in as'],
      ['%%%', 'Signed in as'],
      ['https://evil.example/', 'Signed in as'],
      [carried(`${evil}`), 'The app wants to return to the wrong place'],
    ] as const) {
      const browser = harness.browser()
      const page = await browser.visit(`/auth/sign_in?${new URLSearchParams({ authorize })}`)
      const landed = await browser.submit(page, { email: mara.email, password: mara.password })
      expect(landed).toMatchObject({ location: undefined, text: expect.stringContaining(shown) })
    }
  })
})

describe('a form that a browser sends twice', () => {
  it('of signing in leads to the same question', async () => {
    const browser = harness.browser()
    const page = await browser.visit(`/oauth/authorize?${new URLSearchParams({ response_type: 'code', ...asked() })}`)
    const [one, other] = await Promise.all([browser.submit(page, mara), browser.submit(page, mara)])
    for (const approval of [one, other]) expect(approval?.text).toContain('Let Elk in?')
  })

  it('of approval leads to the app both times, with codes for the same token', async () => {
    const person = await harness.person('double')
    const browser = harness.browser()
    const page = await browser.visit(`/oauth/authorize?${new URLSearchParams({ response_type: 'code', ...asked() })}`)
    const approval = await browser.submit(page, person)
    const first = await browser.submit(approval, { answer: 'allow' })
    const second = await browser.submit(approval, { answer: 'allow' })
    const codes = [first, second, ...(await Promise.all([1, 2].map(() => browser.submit(approval, { answer: 'allow' }))))].map(codeOf)
    const answers = await Promise.all(codes.map((code) => exchange(code)))
    for (const answer of answers) expect(answer.json).toEqual(answers[0]?.json)
    expect(await holderOf(answers[0]?.json.access_token)).toMatchObject({ state: TokenState.VALID, accountId: person.id })
    harness.pass(61_000)
    expect(await browser.submit(approval, { answer: 'allow' })).toMatchObject({
      status: 400,
      text: expect.stringContaining('This took too long'),
    })
  })
})

describe('PKCE', () => {
  const verifier = 'v'.repeat(50)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const withChallenge = () => authorize(harness.browser(), asked({ code_challenge: challenge, code_challenge_method: 'S256' }), mara)

  it('takes the right verifier', async () => {
    expect((await exchange(codeOf(await withChallenge()), 'elk://x', { code_verifier: verifier })).status).toBe(200)
  })

  it('refuses a wrong one and none', async () => {
    for (const given of [{ code_verifier: 'w'.repeat(50) }, {}]) {
      const { status, json } = await exchange(codeOf(await withChallenge()), 'elk://x', given as Record<string, string>)
      expect([status, json.error]).toEqual([400, 'invalid_grant'])
    }
  })

  it.each([
    ['plain', { code_challenge: challenge, code_challenge_method: 'plain' }],
    ['without a method', { code_challenge: challenge }],
    ['short', { code_challenge: 'x', code_challenge_method: 'S256' }],
    ['missing', { code_challenge_method: 'S256' }],
  ])('refuses a challenge that is %s with a page, sending no one on to a site that anyone may register', async (_what, given) => {
    for (const response_mode of ['query', 'fragment', 'form_post']) {
      const query = new URLSearchParams({ response_type: 'code', ...asked({ ...given, response_mode } as Record<string, string>) })
      const { status, location, text } = await harness.browser().go(`/oauth/authorize?${query}`)
      expect([status, location]).toEqual([400, undefined])
      expect(text).not.toContain('elk://x')
    }
  })
})

describe('ways to send a token request', () => {
  const form = () => ({ grant_type: 'client_credentials', scope: 'read write', ...secrets() })
  const basic = () => `Basic ${Buffer.from(`${app.client_id}:${app.client_secret}`).toString('base64')}`
  const post = (init: RequestInit, path = '/oauth/token') => harness.request(path, { method: 'POST', ...init })
  const multipart = () => {
    const data = new FormData()
    for (const [name, value] of Object.entries(form())) data.set(name, value)
    return data
  }
  const ways: [string, () => Promise<{ status: number; json: Record<string, unknown> }>][] = [
    ['form', () => post({ body: new URLSearchParams(form()) })],
    ['JSON', () => post({ body: JSON.stringify(form()), headers: { 'content-type': 'application/json' } })],
    ['multipart', () => post({ body: multipart() })],
    ['query', () => post({}, `/oauth/token?${new URLSearchParams(form())}`)],
    ['a form without a type', () => post({ body: Buffer.from(new URLSearchParams(form()).toString()) })],
    ['text/plain', () => post({ body: new URLSearchParams(form()).toString(), headers: { 'content-type': 'text/plain' } })],
    [
      'Basic',
      () =>
        post({ body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'read write' }), headers: { authorization: basic() } }),
    ],
    ['Basic and the same in the body', () => post({ body: new URLSearchParams(form()), headers: { authorization: basic() } })],
  ]

  it.each(ways)('%s', async (_way, send) => {
    const { status, json } = await send()
    expect([status, json['scope'], json['token_type']]).toEqual([200, 'read write', 'Bearer'])
  })

  it('gives an app token without a person, with read unless more is asked', async () => {
    const { json } = await harness.post('/oauth/token', { grant_type: 'client_credentials', ...secrets() })
    expect(json.scope).toBe('read')
    expect(await holderOf(json.access_token)).toMatchObject({ state: TokenState.VALID, accountId: '', appId: app.id, role: '' })
  })
})

describe('what all pages share', () => {
  const signIn = (more: Record<string, string>, headers: Record<string, string> = {}) =>
    harness.browser(headers).visit(`/oauth/authorize?${new URLSearchParams({ response_type: 'code', ...asked(more) })}`)

  it('speaks the language of lang, else of the browser, else English', async () => {
    expect((await signIn({ lang: 'de' }, { 'accept-language': 'fr' })).text).toContain('<html lang="de">')
    expect((await signIn({}, { 'accept-language': 'fr-CA, en;q=0.5' })).text).toContain('<html lang="fr">')
    expect((await signIn({ lang: 'xx' }, { 'accept-language': 'ja' })).text).toContain('<html lang="en">')
  })

  it('forbids scripts, frames and caches', async () => {
    const { headers, text } = await signIn({})
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*form-action 'self'; frame-ancestors 'none'/)
    expect(headers.get('cache-control')).toContain('no-store')
    expect(text).not.toMatch(/<script|javascript:|\son\w+=/i)
  })

  it("lets the approval form lead to the app's scheme only", async () => {
    const browser = harness.browser()
    const page = await browser.submit(
      await browser.visit(`/oauth/authorize?${new URLSearchParams({ response_type: 'code', ...asked() })}`),
      {
        email: mara.email,
        password: mara.password,
      },
    )
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' elk:;")
  })

  it('keeps cookies from scripts and other sites', async () => {
    const response = await harness.request(`/oauth/authorize?${new URLSearchParams({ response_type: 'code', ...asked() })}`)
    const cookies = response.headers.getSetCookie()
    expect(cookies.length).toBeGreaterThan(0)
    for (const cookie of cookies) expect(cookie).toMatch(/httponly/i)
    for (const cookie of cookies) expect(cookie).toMatch(/samesite=lax/i)
  })

  it('shows names of apps and people as text', async () => {
    const made = await harness.apps.register(call(), { name: '<b>x</b>"&', redirectUris: ['elk://x'], scopes: 'read', website: '' })
    const page = await harness
      .browser()
      .visit(`/oauth/authorize?${new URLSearchParams({ response_type: 'code', client_id: made.clientId, redirect_uri: 'elk://x' })}`)
    expect(page.text).toContain('&lt;b&gt;x&lt;/b&gt;&quot;&amp;')
    expect(page.text).not.toContain('<b>')
  })

  it('turns no words around by the name of an app', async () => {
    const made = await harness.apps.register(call(), { name: 'E\u202elk\u2066', redirectUris: ['elk://x'], scopes: 'read', website: '' })
    const asked = { response_type: 'code', client_id: made.clientId, redirect_uri: 'elk://x' }
    const browser = harness.browser()
    const signIn = await browser.visit(`/oauth/authorize?${new URLSearchParams(asked)}`)
    const approval = await browser.submit(signIn, { email: mara.email, password: mara.password })
    expect(approval.text).toContain('Let Elk in?')
    const own = await browser.submit(approval, { answer: 'allow' })
    expect(codeOf(own)).toMatch(/^[\w-]+$/)
    for (const { text } of [signIn, approval]) expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/u)
  })
})

describe('behind proxies', () => {
  it('uses the base URL, regardless of the Host header, with cookies for https only', async () => {
    const far = await openHarness({ config: { baseUrl: 'https://rookery.example:8443' } })
    const client = await far.registerApp('https://app.example/cb')
    const person = await far.person('mara')
    const query = { client_id: client.client_id, redirect_uri: 'https://app.example/cb', response_type: 'code' }
    const first = await far.request(`/oauth/authorize?${new URLSearchParams(query)}`, { headers: { 'x-forwarded-host': 'evil.example' } })
    expect(first.headers.get('location')).toMatch(/^\/auth\/sign_in\?authorize=[\w-]+$/)
    for (const cookie of first.headers.getSetCookie()) expect(cookie).toMatch(/; secure/i)
    const browser = far.browser()
    const back = await authorize(browser, { client_id: client.client_id, redirect_uri: 'https://app.example/cb' }, person)
    expect(back.location).toMatch(/^https:\/\/app\.example\/cb\?code=/)
    expect(browser.cookieNames).toContain('__Host-rookery_form')
    expect(far.logged).toEqual([])
    await far.close()
  })
})

describe('a restart', () => {
  it('keeps sign-ins and interactions, because keys and sessions are in the database', async () => {
    const browser = harness.browser()
    const page = await browser.visit(`/oauth/authorize?${new URLSearchParams({ response_type: 'code', ...asked() })}`)
    harness.restart()
    const approval = await browser.submit(page, { email: mara.email, password: mara.password })
    harness.restart()
    expect(codeOf(await browser.submit(approval, { answer: 'allow' }))).toBeTruthy()
  })
})
