import { type Person, World } from '@rookery/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// beyond-the-spec 1.10, Defaults, and docs/decisions/0009: which language a post is in.

let world: World
let mara: Person
let chooser: Person
let reader: Person

const GERMAN = 'Der Kessel pfeift, das Fenster ist offen und nebenan spielt jemand Klavier.'

/** Somebody who signed up with pages of a language. */
const signUp = async (username: string, locale: string) => {
  const asked = { client_name: 'Tea', redirect_uris: 'urn:ietf:wg:oauth:2.0:oob', scopes: 'read write' }
  const { client_id, client_secret } = (await world.asks('POST', '/api/v1/apps', { body: asked })).body
  const grant = { grant_type: 'client_credentials', client_id, client_secret, redirect_uri: asked.redirect_uris, scope: asked.scopes }
  const token = (await world.asks('POST', '/oauth/token', { body: grant })).body.access_token
  const person = { username, email: `${username}@example.org`, password: 'a long password', agreement: true, locale }
  const answer = await world.asks('POST', '/api/v1/accounts', { token, body: person })
  expect(answer.status).toBe(200)
  const own: string = answer.body.access_token
  await world.settle()
  return {
    says: async (status: string, more = {}) =>
      (await world.asks('POST', '/api/v1/statuses', { token: own, body: { status, ...more } })).body,
    source: async () => (await world.asks('GET', '/api/v1/accounts/verify_credentials', { token: own })).body.source,
  }
}

beforeAll(async () => {
  world = await World.open()
  ;({ mara, chooser, reader } = await world.cast('mara', 'chooser', 'reader'))
  await chooser.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { source: { language: 'fr' } } })
})
afterAll(() => world.close())

describe('a post is in the language', () => {
  test('that is given, whatever it says', async () => {
    expect((await chooser.says(GERMAN, { language: 'sv' })).language).toBe('sv')
  })

  test('that its author chose, when none is given', async () => {
    expect((await chooser.says(GERMAN)).language).toBe('fr')
  })

  test('that its text shows, when its author chose none', async () => {
    const said = await mara.says(`@chooser ${GERMAN} https://example.org/the/english/words/of/an/address #tea`)
    expect(said.language).toBe('de')
    expect((await reader.get(`/api/v1/statuses/${said.id}`)).body.language).toBe('de')
  })

  test('its author signed up in, when the text does not say', async () => {
    const kari = await signUp('kari', 'nl')
    expect((await kari.source()).language).toBeNull()
    expect((await kari.says('tea!')).language).toBe('nl')
    expect((await kari.says(GERMAN)).language).toBe('de')
  })
})

test.each(['klingon please', '12', 'x'.repeat(1000), '<b>'])('%s is no language and counts as none', async (language) => {
  expect((await mara.says(GERMAN, { language })).language).toBe('de')
})

test('an edit without a language keeps the one there is', async () => {
  const said = await mara.says(GERMAN)
  const edited = await mara.asks('PUT', `/api/v1/statuses/${said.id}`, {
    body: { status: 'La bouilloire siffle et la fenêtre est ouverte.' },
  })
  expect(edited.body.language).toBe('de')
  const renamed = await mara.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status: 'La bouilloire siffle.', language: 'fr' } })
  expect(renamed.body.language).toBe('fr')
})
