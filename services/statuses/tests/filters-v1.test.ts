import { type Person, World } from '@rookery/test-world'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

// Keywords as the first version of the API knows filters (spec, Filters v1; beyond-the-spec 1.13, 2.4).

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

const PHRASES = '/api/v1/filters'
const FILTERS = '/api/v2/filters'
const HOUR = 3_600_000

let world: World
let cast = 0
let mara: Person
beforeAll(async () => {
  world = await World.open()
})
beforeEach(async () => {
  mara = await world.person(`mara${++cast}`)
})
afterAll(() => world.close())

const makes = async (more: Record<string, unknown> = {}): Promise<Json> => {
  const { status, body } = await mara.post(PHRASES, { phrase: 'tea', context: ['home'], ...more })
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined })
  return body
}
const put = ({ id }: Json, body: unknown) => mara.asks('PUT', `${PHRASES}/${id}`, { body })
const filters = async (): Promise<Json[]> => (await mara.get(FILTERS)).body
const phrases = async (): Promise<Json[]> => (await mara.get(PHRASES)).body
const hoursLeft = ({ expires_at }: Json) => expires_at && Math.round((Date.parse(expires_at) - world.clock.now()) / HOUR)

const NOT_FOUND = { status: 404, text: '{"error":"Record not found"}' }
const TOO_WIDE = {
  status: 422,
  body: { error: 'Context, expiry and irreversible belong to several keywords and cannot be changed for one of them' },
}

describe('a phrase', () => {
  test('is a filter of one keyword, titled by it', async () => {
    const made = await makes()
    expect(made).toEqual({
      id: expect.stringMatching(/^\d+$/),
      phrase: 'tea',
      context: ['home'],
      whole_word: false,
      expires_at: null,
      irreversible: false,
    })
    expect(await filters()).toMatchObject([
      { title: 'tea', context: ['home'], filter_action: 'warn', keywords: [{ id: made.id, keyword: 'tea', whole_word: false }] },
    ])
    const whole = await makes({ phrase: 'milk', context: ['public', 'thread'], irreversible: true, whole_word: true, expires_in: 7200 })
    expect(whole).toMatchObject({ phrase: 'milk', context: ['public', 'thread'], irreversible: true, whole_word: true })
    expect(hoursLeft(whole)).toBe(2)
    expect((await filters())[1]).toMatchObject({ filter_action: 'hide', keywords: [{ whole_word: true }] })
    expect((await mara.get(`${PHRASES}/${whole.id}`)).body).toEqual(whole)
    expect(await phrases()).toEqual([made, whole])
  })

  test('may be longer than a title', async () => {
    const phrase = '🍵'.repeat(300)
    expect((await makes({ phrase })).phrase).toBe(phrase)
    expect((await filters())[0].title).toBe('🍵'.repeat(256))
  })

  test('is each keyword of each filter', async () => {
    const keywords_attributes = [{ keyword: 'tea' }, { keyword: 'milk', whole_word: false }]
    await mara.post(FILTERS, { title: 'drinks', context: ['home'], filter_action: 'hide', keywords_attributes })
    await mara.post(FILTERS, { title: 'nothing', context: ['home'] })
    await mara.post(FILTERS, { title: 'food', context: ['thread'], filter_action: 'blur', keywords_attributes: [{ keyword: 'cake' }] })
    expect((await phrases()).map((each) => [each.phrase, each.context, each.whole_word, each.irreversible])).toEqual([
      ['tea', ['home'], true, true],
      ['milk', ['home'], false, true],
      ['cake', ['thread'], true, false],
    ])
  })

  test.each([
    ['no phrase', { phrase: undefined }, "Phrase can't be blank"],
    ['a blank phrase', { phrase: ' ' }, "Phrase can't be blank"],
    ['a phrase too long', { phrase: 'x'.repeat(513) }, 'Phrase is too long (maximum is 512 characters)'],
    ['no context', { context: [] }, 'Context None or invalid context supplied'],
    ['a context no one knows', { context: ['kitchen'] }, 'Context None or invalid context supplied'],
    ['an end before now', { expires_in: -5 }, 'Expires in must be greater than or equal to 0'],
    ['an end that is no number', { expires_in: 'abc' }, 'Expires in is not a number'],
    ['neither', { phrase: '', context: undefined }, "Phrase can't be blank, Context None or invalid context supplied"],
  ])('is not made with %s', async (_what, given, faults) => {
    expect(await mara.post(PHRASES, { phrase: 'tea', context: ['home'], ...given })).toMatchObject({
      status: 422,
      body: { error: `Validation failed: ${faults}` },
    })
    expect(await filters()).toEqual([])
  })

  test('is changed with its filter where that has no other', async () => {
    const made = await makes({ expires_in: 3600 })
    const change = { phrase: 'green tea', context: ['home', 'public'], irreversible: true, whole_word: true, expires_in: 7200 }
    const changed = (await put(made, change)).body
    expect(changed).toMatchObject({ id: made.id, phrase: 'green tea', context: ['home', 'public'], irreversible: true, whole_word: true })
    expect(hoursLeft(changed)).toBe(2)
    expect(await filters()).toMatchObject([{ title: 'green tea', filter_action: 'hide', context: ['home', 'public'] }])
    expect((await put(made, {})).body).toEqual(changed)
    const [{ id }] = await filters()
    await mara.asks('PUT', `${FILTERS}/${id}`, { body: { title: 'drinks', filter_action: 'blur' } })
    expect((await put(made, { phrase: 'tea', irreversible: false, expires_in: '' })).body).toMatchObject({
      phrase: 'tea',
      expires_at: null,
    })
    // Its title is a title of its own now, and blur is no hiding.
    expect(await filters()).toMatchObject([{ title: 'drinks', filter_action: 'blur' }])
    expect((await put(made, { irreversible: true })).body.irreversible).toBe(true)
    expect((await put(made, { irreversible: false })).body.irreversible).toBe(false)
    expect((await filters())[0].filter_action).toBe('warn')
  })

  test.each([
    ['a blank phrase', { phrase: '' }, "Phrase can't be blank"],
    ['an empty context', { context: [] }, 'Context None or invalid context supplied'],
    ['an end before now', { expires_in: -5 }, 'Expires in must be greater than or equal to 0'],
    ['an end that is no number', { expires_in: 'abc' }, 'Expires in is not a number'],
    ['a context no one knows', { context: ['home', 'x'] }, 'Context None or invalid context supplied'],
  ])('is not changed to %s', async (_what, change, fault) => {
    const made = await makes()
    expect(await put(made, { whole_word: true, ...change })).toMatchObject({ status: 422, body: { error: `Validation failed: ${fault}` } })
    expect(await phrases()).toEqual([made])
  })

  test('changes nothing that other keywords share, and then nothing at all', async () => {
    const keywords_attributes = [{ keyword: 'tea' }, { keyword: 'milk' }]
    await mara.post(FILTERS, { title: 'tea', context: ['home', 'public'], keywords_attributes })
    const [tea] = await phrases()
    const before = await filters()
    for (const change of [{ context: ['home'] }, { irreversible: true }, { expires_in: 3600 }]) {
      expect(await put(tea, { phrase: 'new', whole_word: false, ...change })).toMatchObject(TOO_WIDE)
    }
    expect(await filters()).toEqual(before)
    // What is as it was is no change, however it is ordered.
    const same = { phrase: 'green tea', whole_word: false, context: ['public', 'home'], irreversible: false, expires_in: '' }
    expect((await put(tea, same)).body).toMatchObject({ phrase: 'green tea', whole_word: false, context: ['home', 'public'] })
    expect(await filters()).toMatchObject([{ title: 'tea', keywords: [{ keyword: 'green tea', whole_word: false }, { keyword: 'milk' }] }])
  })

  test('goes without its filter', async () => {
    const made = await makes()
    expect(await mara.asks('DELETE', `${PHRASES}/${made.id}`)).toMatchObject({ status: 200, text: '{}' })
    expect(await filters()).toMatchObject([{ title: 'tea', keywords: [] }])
    expect(await phrases()).toEqual([])
    expect(await mara.asks('DELETE', `${PHRASES}/${made.id}`)).toMatchObject(NOT_FOUND)
    expect(await mara.get(`${PHRASES}/${made.id}`)).toMatchObject(NOT_FOUND)
    expect(await put(made, { phrase: 'x' })).toMatchObject(NOT_FOUND)
  })

  test('is typed as forms type it', async () => {
    const body = 'phrase=tea&context[]=home&context[]=thread&irreversible=1&whole_word=true&expires_in=3600'
    const made = (await mara.asks('POST', PHRASES, { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } })).body
    expect(made).toMatchObject({ phrase: 'tea', context: ['home', 'thread'], irreversible: true, whole_word: true })
    expect(hoursLeft(made)).toBe(1)
  })
})
