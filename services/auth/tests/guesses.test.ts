import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authorize, type ClientApp, codeOf, type Harness, openHarness, type Person } from './harness.ts'

// Secrets, codes and links may be guessed 25 times in five minutes by an address (docs/decisions/0015-one-table-of-rate-limits.md).

let harness: Harness
let app: ClientApp
let mara: Person
beforeAll(async () => {
  harness = await openHarness({ config: { trustedProxies: ['loopback'] } })
  app = await harness.registerApp()
  mara = await harness.person('mara')
})
beforeEach(() => harness.toNewWindow())
afterAll(async () => {
  expect(harness.logged).toEqual([])
  await harness.close()
})

let hosts = 0
const address = () => `198.51.100.${++hosts}`

const TOO_MANY = { status: 429, json: { error: 'Too many requests' } }
const secrets = () => ({ client_id: app.client_id, client_secret: app.client_secret })
const post = (path: string, form: Record<string, string>, from: string) => harness.post(path, form, { 'x-forwarded-for': from })
const grant = (form: Record<string, string>, from: string) => post('/oauth/token', { grant_type: 'client_credentials', ...form }, from)
const exchange = (code: string, from: string) =>
  post('/oauth/token', { grant_type: 'authorization_code', redirect_uri: 'elk://x', code, ...secrets() }, from)
const visit = (path: string, from: string) => harness.request(path, { headers: { accept: 'text/html', 'x-forwarded-for': from } })

/** Every way to guess, from an address; each answers with the status that a wrong guess has. */
const GUESSES: [string, (from: string) => Promise<{ status: number }>, number][] = [
  ['a client secret', (from) => grant({ ...secrets(), client_secret: 'x' }, from), 401],
  ['a client id', (from) => grant({ client_id: 'x', client_secret: 'x' }, from), 401],
  ['a client secret, to revoke', (from) => post('/oauth/revoke', { ...secrets(), client_secret: 'x', token: 'x' }, from), 401],
  ['a code', (from) => exchange('x', from), 400],
  ['a code, to have it shown', (from) => visit('/oauth/authorize/native?code=x', from), 400],
  ['a link that confirms an address', (from) => visit('/auth/confirmation?token=x', from), 404],
  ['a link that sets a password', (from) => visit('/auth/password/reset?token=x', from), 404],
  ['a link that confirms a new address', (from) => visit('/auth/account/email/confirm?token=x', from), 404],
]

describe('guessing', () => {
  it.each(GUESSES)('%s is refused after 25 wrong guesses', async (_what, guess, wrong) => {
    const from = address()
    for (let times = 0; times < 25; times++) expect((await guess(from)).status).toBe(wrong)
    expect((await guess(from)).status).toBe(429)
    expect((await guess(address())).status).toBe(wrong)
    harness.pass(300_000)
    expect((await guess(from)).status).toBe(wrong)
  })

  it('counts together regardless of what is guessed, and refuses a right secret and a right code unchecked then', async () => {
    const from = address()
    for (let times = 0; times < 25; times++) {
      const [, guess, wrong] = GUESSES[times % GUESSES.length]!
      expect((await guess(from)).status).toBe(wrong)
    }
    const code = codeOf(await authorize(harness.browser(), { client_id: app.client_id, redirect_uri: 'elk://x' }, mara))
    const refused = await grant(secrets(), from)
    expect(refused).toMatchObject(TOO_MANY)
    expect([refused.headers.get('x-ratelimit-limit'), refused.headers.get('x-ratelimit-remaining')]).toEqual(['25', '0'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await exchange(code, from)).toMatchObject(TOO_MANY)
    expect((await exchange(code, address())).status).toBe(200)
  })

  it('many at once gives no more than 25 answers of what is wrong', async () => {
    const from = address()
    const answers = await Promise.all(Array.from({ length: 60 }, () => grant({ ...secrets(), client_secret: 'x' }, from)))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(25)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(35)
  })

  it.each([
    [
      'an address',
      ['mara@example.com', 'MARA@example.com', 'Mara@Example.com'],
      ['nora@example.com', 'NORA@example.com', 'Nora@Example.com'],
    ],
    ['a username', ['mara', '@Mara', 'MARA'], ['nora', '@Nora', 'NORA']],
  ])('a password for %s ends after as many tries whether anyone has it or not, however it is written', async (_what, ...names) => {
    const ends = await Promise.all(
      names.map(async (written) => {
        for (let times = 1; ; times++) {
          const browser = harness.browser({ 'x-forwarded-for': address() })
          const email = written[times % written.length]!
          if ((await browser.submit(await browser.visit('/auth/sign_in'), { email, password: 'no' })).status === 429) return times
        }
      }),
    )
    expect(ends).toEqual([11, 11])
    harness.pass(300_000)
  })

  it('is none where everything is right', async () => {
    const from = address()
    for (let times = 0; times < 40; times++) expect((await grant(secrets(), from)).status).toBe(200)
  })
})
