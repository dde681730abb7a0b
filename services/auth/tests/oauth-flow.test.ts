import { createHash } from 'node:crypto'
import { TokenState } from '@rookery/contracts/auth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorize, type ClientApp, call, codeOf, openStage, type Person, type Stage } from './stage.ts'

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

let stage: Stage
let app: ClientApp
let mara: Person
let joel: Person

beforeAll(async () => {
  stage = await openStage()
  app = await stage.registerApp(URIS.join('\n'))
  mara = await stage.person('mara')
  joel = await stage.person('joel')
})
afterAll(() => stage.close())

const secrets = () => ({ client_id: app.client_id, client_secret: app.client_secret })
const exchange = (code: string, redirectUri: string, more: Record<string, string> = {}) =>
  stage.post('/oauth/token', { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...secrets(), ...more })
const holderOf = async (token: string) => {
  const { holders } = await stage.tokens.check(call(), { digests: [createHash('sha256').update(token).digest()] })
  return holders[0]
}

describe('the code flow', () => {
  it.each(URIS)('returns to %s byte for byte', async (uri) => {
    const query = { client_id: app.client_id, redirect_uri: uri, scope: 'read write:statuses', state: 's +1' }
    const back = await authorize(stage.browser(), query, mara)
    if (uri !== OOB) {
      const code = codeOf(back)
      const parameters = new URLSearchParams({ code, state: 's +1' })
      expect(back.location).toBe(`${uri}${uri.includes('?') ? '&' : '?'}${parameters}`)
    }
    const { status, json } = await exchange(codeOf(back), uri)
    expect(status).toBe(200)
    expect(json).toEqual({
      access_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      token_type: 'Bearer',
      scope: 'read write:statuses',
      created_at: expect.any(Number),
    })
    expect(await holderOf(json.access_token)).toMatchObject({ state: TokenState.VALID, accountId: mara.id, appId: app.id, appName: 'Elk' })
  })
})
