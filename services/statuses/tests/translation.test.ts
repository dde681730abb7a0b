import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Person, World } from '@rookery/test-world'
import { query } from '@rookery/test-world/queries'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readStatusesConfig } from '../src/module.ts'

// spec, POST translate and Translation; beyond-the-spec 0.4, 1.1, 2.5. Providers are stand-ins that speak their protocols.

// biome-ignore lint/suspicious/noExplicitAny: what is asked and answered has the provider's own form
type Json = any
type Asked = { path: string; headers: IncomingMessage['headers']; body: Json }

/** A provider: remembers what it was asked, says shouting is another language, and can be asked to fail. */
class StandIn {
  readonly asked: Asked[] = []
  readonly #answers: (asked: Asked) => Json
  #server: Server
  failing: number | 'broken' | 'silent' | undefined
  shout = (html: string) => html.replace(/<[^>]*>|&\w+;|[^<&]+/g, (part) => (/^[<&]/.test(part) ? part : part.toUpperCase()))

  constructor(answers: (standIn: StandIn, asked: Asked) => Json) {
    this.#answers = (asked) => answers(this, asked)
    this.#server = createServer(async (request, response) => {
      const chunks = await request.toArray()
      const asked = {
        path: request.url ?? '',
        headers: request.headers,
        body: chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined,
      }
      this.asked.push(asked)
      if (this.failing === 'silent') return response.destroy()
      response.statusCode = typeof this.failing === 'number' ? this.failing : 200
      response.end(this.failing === 'broken' ? '{"translations":7,"translatedText":7}' : JSON.stringify(this.#answers(asked)))
    })
  }

  async open(): Promise<string> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** What it was asked to translate. */
  get translations(): Asked[] {
    return this.asked.filter(({ path }) => path.endsWith('/translate'))
  }
}

const deepl = () =>
  new StandIn((self, { path, body }) => {
    if (path === '/v2/languages?type=source')
      return [
        { language: 'DE', name: 'German' },
        { language: 'EN', name: 'English' },
      ]
    if (path === '/v2/languages?type=target') return ['DE', 'EN-GB', 'EN-US', 'FR'].map((language) => ({ language, name: language }))
    return { translations: body.text.map((text: string) => ({ detected_source_language: 'DE', text: self.shout(text) })) }
  })

const libreTranslate = () =>
  new StandIn((self, { path, body }) => {
    if (path === '/languages')
      return [
        { code: 'de', name: 'German', targets: ['de', 'en', 'fr'] },
        { code: 'en', name: 'English', targets: ['de'] },
      ]
    return { translatedText: body.q.map(self.shout), detectedLanguage: body.q.map(() => ({ confidence: 90, language: 'de' })) }
  })

const SECRET = 'a-key-nobody-may-see'
const PROVIDERS = [
  { name: 'deepl', make: deepl, provider: 'DeepL.com', quota: 456, languages: { de: ['en-gb', 'en', 'en-us', 'fr'], en: ['de', 'fr'] } },
  { name: 'libretranslate', make: libreTranslate, provider: 'LibreTranslate', quota: 403, languages: { de: ['en', 'fr'], en: ['de'] } },
]

describe.each(PROVIDERS)('$name', ({ name, make, provider, quota, languages }) => {
  let standIn: StandIn
  let world: World
  let mara: Person
  let joel: Person
  beforeAll(async () => {
    standIn = make()
    const address = await standIn.open()
    world = await World.open({ settings: { TRANSLATION_PROVIDER: name, TRANSLATION_URL: `${address}/`, TRANSLATION_KEY: SECRET } })
    ;({ mara, joel } = await world.cast('mara', 'joel'))
  })
  afterAll(async () => {
    await world.close()
    await standIn.close()
  })
  beforeEach(() => {
    standIn.asked.length = 0
  })
  afterEach(() => {
    standIn.failing = undefined
  })
  const translates = (status: { id: string }, lang?: string, person = joel) =>
    person.post(`/api/v1/statuses/${status.id}/translate`, lang === undefined ? {} : { lang })

  test('translates content, warning, poll and descriptions', async () => {
    const said = await mara.says('grüne oder schwarze?\n\n@joel #tee https://example.org/tee', {
      spoiler_text: 'tee & <kekse>',
      language: 'de',
      poll: { options: ['grün', 'schwarz & süß'], expires_in: 3600 },
    })
    const answer = await translates(said, 'fr')
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        content: expect.stringContaining('<p>GRÜNE ODER SCHWARZE?</p><p>'),
        spoiler_text: 'TEE & <KEKSE>',
        language: 'fr',
        detected_source_language: 'de',
        provider,
        poll: { id: said.id, options: [{ title: 'GRÜN' }, { title: 'SCHWARZ & SÜSS' }] },
        media_attachments: [],
      },
    ])
    expect(answer.body.content).toContain('href="https://example.org/tee"')
    const [{ body, headers }] = standIn.translations as [Asked]
    if (name === 'deepl') {
      expect(headers.authorization).toBe(`DeepL-Auth-Key ${SECRET}`)
      expect(body).toMatchObject({ source_lang: 'DE', target_lang: 'FR', tag_handling: 'html' })
      expect(body.text).toHaveLength(4)
    } else {
      expect(body).toMatchObject({ source: 'de', target: 'fr', format: 'html', api_key: SECRET })
      expect(body.q).toHaveLength(4)
    }
  })

  test('describes files in the language too', async () => {
    const said = await mara.says('bild', { language: 'de' })
    await query(
      world,
      `update statuses.status set attachments = '[{"id":"7","type":"image","url":"u","preview_url":"u","description":"eine kanne","blurhash":""}]' where id = $1`,
      [said.id],
    )
    await query(world, 'update statuses.status_head set version = version + 1 where id = $1', [said.id])
    expect((await translates(said, 'fr')).body.media_attachments).toEqual([{ id: '7', description: 'EINE KANNE' }])
  })

  test('asks once for a status in a language, however many want it at once, and again after an edit', async () => {
    const said = await mara.says('tee', { language: 'de' })
    const answers = await Promise.all(Array.from({ length: 20 }, () => translates(said, 'fr')))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    await translates(said, 'fr', mara)
    expect(standIn.translations).toHaveLength(1)
    await translates(said, 'en')
    expect(standIn.translations).toHaveLength(2)
    await mara.asks('PUT', `/api/v1/statuses/${said.id}`, { body: { status: 'kaffee' } })
    expect((await translates(said, 'fr')).body.content).toBe('<p>KAFFEE</p>')
    expect(standIn.translations).toHaveLength(3)
  })

  test('lets the provider find out the language of what has none, and reads in one’s own', async () => {
    const said = await mara.says('tee', { language: 'de' })
    await query(world, 'update statuses.status set language = null where id = $1', [said.id])
    await query(world, 'update statuses.status_head set version = version + 1 where id = $1', [said.id])
    expect((await translates(said)).body).toMatchObject({ language: 'en', detected_source_language: 'de' })
    const { body } = standIn.translations[0]!
    expect(name === 'deepl' ? body.source_lang : body.source).toBe(name === 'deepl' ? undefined : 'auto')
  })

  test('translates what a boost boosts', async () => {
    const said = await mara.says('tee', { language: 'de' })
    expect((await translates(await joel.reacts('reblog', said), 'fr')).body.content).toBe('<p>TEE</p>')
  })

  test('shows nothing of what a provider makes up but what posts hold', async () => {
    const said = await mara.says('tee', { spoiler_text: 'warm', language: 'de' })
    const usual = standIn.shout
    standIn.shout = () =>
      '<p onclick="x()">A<script>x()</script><img src=x onerror=x()><a href="javascript:x()" style="x">B</a><a href="https://example.org" class="evil">C</a></p><iframe src="https://x"></iframe>'
    const { body } = await translates(said, 'fr')
    standIn.shout = usual
    expect(body.content).toBe(
      '<p>A<a target="_blank" rel="nofollow noopener">B</a><a href="https://example.org" target="_blank" rel="nofollow noopener">C</a></p>',
    )
    expect(body.spoiler_text).not.toContain('<')
  })

  test.each(['private', 'direct'])('hands no %s status to anyone', async (visibility) => {
    const said = await mara.says('@joel geheim', { visibility, language: 'de' })
    expect((await joel.get(`/api/v1/statuses/${said.id}`)).status).toBe(200)
    const missing = await translates({ id: '1' }, 'fr')
    expect([missing.status, missing.text]).toEqual([404, '{"error":"Record not found"}'])
    for (const person of [mara, joel]) {
      const answer = await translates(said, 'fr', person)
      expect([answer.status, answer.text]).toEqual([404, missing.text])
    }
    expect(standIn.asked).toEqual([])
  })

  test('refuses languages the provider does not know', async () => {
    const said = await mara.says('tee', { language: 'de' })
    for (const lang of ['tlh', 'de', 'x'.repeat(10_000)]) {
      const answer = await translates(said, lang)
      expect([answer.status, answer.body]).toEqual([403, { error: 'This action is not allowed' }])
    }
    const unknown = await translates(await mara.says('nuqneH', { language: 'tlh' }), 'fr')
    expect([unknown.status, unknown.body]).toEqual([403, { error: 'This action is not allowed' }])
    expect(standIn.translations).toEqual([])
  })

  test.each([
    [500, 'Service Unavailable'],
    [302, 'Service Unavailable'],
    ['broken', 'Service Unavailable'],
    ['silent', 'Service Unavailable'],
    [429, 'There have been too many requests to the translation service recently.'],
    [quota, 'The server-wide usage quota for the translation service has been exceeded.'],
  ] as const)('says so when the provider fails (%s), and asks again', async (failing, error) => {
    const said = await mara.says(`tee ${failing}`, { language: 'de' })
    await mara.get('/api/v1/instance/translation_languages')
    standIn.failing = failing
    const answer = await translates(said, 'fr')
    expect([answer.status, answer.body]).toEqual([503, { error }])
    expect(answer.text).not.toContain(SECRET)
    standIn.failing = undefined
    expect((await translates(said, 'fr')).status).toBe(200)
  })

  test('says which languages there are, and that it translates', async () => {
    expect((await world.get('/api/v1/instance/translation_languages')).body).toEqual(languages)
    expect((await world.get('/api/v2/instance')).body.configuration.translation).toEqual({ enabled: true })
  })
})

describe('a server without a provider', () => {
  let world: World
  beforeAll(async () => {
    world = await World.open()
  })
  afterAll(() => world.close())

  test('is unavailable for what one may see, and knows nothing of the rest', async () => {
    const { mara, joel } = await world.cast('mara', 'joel')
    const answers = async (person: Person, { id }: { id: string }) => {
      const { status, body } = await person.post(`/api/v1/statuses/${id}/translate`, { lang: 'fr' })
      return [status, body]
    }
    const UNAVAILABLE = [503, { error: 'Service Unavailable' }]
    const MISSING = [404, { error: 'Record not found' }]
    const said = await mara.says('tee', { language: 'de' })
    expect([await answers(mara, said), await answers(joel, said)]).toEqual([UNAVAILABLE, UNAVAILABLE])
    const secret = await mara.says('@joel geheim', { visibility: 'direct' })
    expect([await answers(mara, secret), await answers(joel, secret), await answers(joel, { id: '1' })]).toEqual([
      MISSING,
      MISSING,
      MISSING,
    ])
    await mara.does('block', joel)
    expect(await answers(joel, said)).toEqual(MISSING)
    expect((await world.asks('POST', `/api/v1/statuses/${said.id}/translate`)).status).toBe(401)
    expect((await world.get('/api/v1/instance/translation_languages')).body).toEqual({})
    expect((await world.get('/api/v2/instance')).body.configuration.translation).toEqual({ enabled: false })
  })
})

test.each([
  [{ TRANSLATION_PROVIDER: 'libretranslate' }, 'TRANSLATION_URL'],
  [{ TRANSLATION_PROVIDER: 'deepl' }, 'TRANSLATION_KEY'],
  [{ TRANSLATION_PROVIDER: 'babelfish' }, 'TRANSLATION_PROVIDER'],
])('the settings %j lack %s', (environment, missing) => {
  expect(() => readStatusesConfig({ BASE_URL: 'https://birds.example', ...environment })).toThrow(missing)
})
