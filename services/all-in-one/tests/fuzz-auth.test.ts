import { browser } from '@rookery/test-world/page-browser'
import type { RawAnswer } from '@rookery/test-world/raw-request'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BadInputHarness, openBadInput } from './bad-input.ts'
import { fuzz, requestTo, type Target } from './fuzz.ts'

// Random requests to OAuth and the sign-in pages: each gets a fast answer of the contract, and leaves nothing behind.

let harness: BadInputHarness
beforeAll(async () => {
  harness = await openBadInput()
})
afterAll(() => harness.close())

const OAUTH = ['client_id', 'client_secret', 'redirect_uri', 'scope', 'code', 'code_verifier', 'grant_type', 'token', 'state', 'lang']
const AUTHORIZE = [
  ...OAUTH,
  'response_type',
  'response_mode',
  'force_login',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'request',
]
const FORM = ['form_token', 'email', 'username', 'password', 'agreement', 'reason', 'lang', 'token', 'id']

const at = (method: string, names: readonly string[], ...paths: string[]): Target[] => paths.map((path) => ({ method, path, names }))

/** Pages that hash a password only if everything else is valid: hashing is slow on purpose. */
const OPEN: Target[] = [
  ...at('POST', OAUTH, '/oauth/token', '/oauth/revoke'),
  ...at('OPTIONS', OAUTH, '/oauth/token', '/oauth/revoke'),
  ...at('GET', AUTHORIZE, '/oauth/authorize', '/oauth/authorize/native', '/oauth/authorize/:id', '/oauth/interaction/:id'),
  ...at('POST', FORM, '/oauth/authorize', '/oauth/interaction/:id/sign_in', '/oauth/interaction/:id/approve'),
  ...at('GET', FORM, '/auth/sign_in', '/auth/sign_up', '/auth/confirmation', '/auth/password/new', '/auth/password/reset', '/auth/:id'),
  ...at('POST', FORM, '/auth/sign_in', '/auth/sign_up', '/auth/confirmation', '/auth/confirmation/resend', '/auth/password/reset'),
  ...at('GET', FORM, '/invite/:id'),
  ...at('POST', FORM, '/invite/:id'),
  ...at('POST', [...FORM, 'ticket', 'text'], '/disputes/appeal'),
  ...at('GET', [], '/.well-known/oauth-authorization-server', '/.well-known/:id'),
]

/** Pages of a signed-in person. */
const OWN: Target[] = [
  ...at('GET', FORM, '/auth/account', '/auth/account/email', '/auth/account/password', '/auth/account/move', '/auth/account/delete'),
  ...at('GET', FORM, '/auth/account/invites'),
  ...at('POST', [...FORM, 'max_uses', 'expires_in', 'autofollow', 'invite'], '/auth/account/invites', '/auth/account/invites/end'),
  ...at('GET', FORM, '/disputes/strikes', '/disputes/strikes/:id'),
  ...at('POST', [...FORM, 'text'], '/disputes/strikes/:id'),
  ...at('GET', FORM, '/auth/account/data', '/auth/account/data/imports/:id/failures.csv', '/auth/account/data/:id'),
  ...at('POST', FORM, '/auth/account/apps', '/auth/account/browsers', '/auth/account/email', '/auth/account/move/aliases'),
  ...at('POST', FORM, '/auth/account/move', '/auth/account/move/undo', '/auth/account/move/aliases/remove', '/auth/account/delete'),
  { method: 'POST', path: '/auth/account/data', names: ['form_token', 'kind', 'mode'], files: ['file'] },
]

const judge = ({ status, headers, body, text }: RawAnswer) => {
  expect({ status, text: text.slice(0, 300), isKnown: status >= 200 && status < 500 && status !== 405 }).toMatchObject({ isKnown: true })
  expect(text).not.toMatch(/node_modules|at async /)
  if (status >= 400 && String(headers['content-type']).includes('json')) expect(body).toMatchObject({ error: expect.stringMatching(/./) })
}

test('any request to auth is answered by the contract, soon, and leaves nothing behind', async () => {
  const visitor = browser(harness.world)
  await visitor.submit(await visitor.visit('/auth/sign_in'), { email: 'mara@example.org', password: 'mara-password' })
  const page = await visitor.visit('/auth/account/data')
  const formToken = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  expect(formToken).not.toBe('')
  const cookie = visitor.cookieNames.flatMap((name) => [`${name}=${visitor.cookie(name)}`]).join('; ')
  const known = { ids: ['1', 'sign_in', 'made-up'], tokens: [undefined, harness.mara.token] }
  const html = { accept: 'text/html' }
  const signedIn = OWN.map((target): Target => ({ ...target, fixed: [['form_token', formToken]] }))
  const requests = [
    requestTo(OPEN, known),
    requestTo(OPEN, { ...known, headers: html }),
    requestTo(OWN, { ...known, headers: html }),
    requestTo(signedIn, { ...known, headers: { ...html, cookie } }),
  ]
  const { sent } = await fuzz(harness, fc.oneof(...requests), judge)
  expect(sent).toBeGreaterThan(100)
  expect((await visitor.visit('/auth/account')).text).toContain('mara')
}, 120_000)
