import { type Person, World } from '@rookery/test-world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// beyond-the-spec 1.10, Defaults, and docs/decisions/0009: which language a post is in.

let world: World
let mara: Person
let chooser: Person
let reader: Person

const GERMAN = 'Der Kessel pfeift, das Fenster ist offen und nebenan spielt jemand Klavier.'

/** Someone who signed up with pages of a language. */
const signUp = async (username: string, locale: string) => {
  const token = await world.appToken('read write')
  const person = { username, email: `${username}@example.org`, password: 'a long password', agreement: true, locale }
  const answer = await world.asks('POST', '/api/v1/accounts', { token, body: person })
  expect(answer.status).toBe(200)
  const own: string = answer.body.access_token
  await world.idle()
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
  test('that is given, regardless of what it says', async () => {
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

const NO_LANGUAGES = ['klingon please', 'xx-nonsense', '12', 'x'.repeat(1000), '<b>']

test.each(NO_LANGUAGES)('%s is no language and counts as none', async (language) => {
  expect((await mara.says(GERMAN, { language })).language).toBe('de')
  const said = await mara.says('x', { language: 'sv' })
  expect((await mara.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status: 'y', language } })).body.language).toBe('sv')
  const draft = await mara.says('x', { language, draft: true })
  expect(draft.params.language).toBeNull()
  const changed = await mara.asks('PUT', `/api/v1/scheduled_statuses/${draft.id}`, { body: { language } })
  expect(changed.body.params.language).toBeNull()
})

describe('a code is kept in its canonical form', () => {
  test.each([
    ['DE', 'de'],
    ['deu', 'de'],
    ['pt_br', 'pt-BR'],
    ['sv-nonsense', 'sv'],
  ])('%s is %s in posts, edits, drafts, preferences and follows', async (typed, code) => {
    const said = await mara.says('x', { language: typed })
    expect(said.language).toBe(code)
    await mara.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status: 'y', language: 'fr' } })
    const edited = await mara.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status: 'z', language: typed } })
    expect(edited.body.language).toBe(code)
    const draft = await mara.says('x', { language: typed, draft: true })
    expect(draft.params.language).toBe(code)
    expect((await mara.post(`/api/v1/scheduled_statuses/${draft.id}/publish`)).body.language).toBe(code)
    const profile = await reader.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { source: { language: typed } } })
    expect(profile.body.source.language).toBe(code)
    expect(await reader.follows(mara, { languages: [typed, code] })).toMatchObject({ languages: [code] })
  })

  test('a follower of a language sees what is posted in it, however either was typed', async () => {
    const { petra, quinn } = await world.cast('petra', 'quinn')
    await quinn.follows(petra, { languages: ['DE'] })
    await world.idle()
    const [german] = [await petra.says('eins', { language: 'deu' }), await petra.says('un', { language: 'FR' })]
    await world.idle()
    expect((await quinn.home()).map(({ id }) => id)).toEqual([german.id])
  })
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
