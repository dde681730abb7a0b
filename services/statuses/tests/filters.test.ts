import { type Person, World } from '@rookery/test-world'
import { deadlocksOf, query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

// Filters as their owner keeps them (spec, Filters v2; beyond-the-spec 1.13, 2.4). What they do to readings is in filtered.test.ts.

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

const FILTERS = '/api/v2/filters'
const MINUTE = 60_000

let world: World
let cast = 0
let mara: Person
let joel: Person
beforeAll(async () => {
  world = await World.open()
})
beforeEach(async () => {
  cast++
  ;[mara, joel] = await Promise.all([world.person(`mara${cast}`), world.person(`joel${cast}`)])
})
afterAll(() => world.close())

const makes = async (person: Person, more: Record<string, unknown> = {}): Promise<Json> => {
  const { status, body } = await person.post(FILTERS, { title: 'drinks', context: ['home'], ...more })
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined })
  return body
}
const withKeywords = (person: Person, ...keywords: string[]) =>
  makes(person, { keywords_attributes: keywords.map((keyword) => ({ keyword })) })
const list = async (person: Person): Promise<Json[]> => (await person.get(FILTERS)).body
const words = ({ keywords }: Json) => keywords.map(({ keyword, whole_word }: Json) => [keyword, whole_word])
/** To the minute: the clock goes on. */
const secondsLeft = ({ expires_at }: Json) => expires_at && Math.abs(Math.round((Date.parse(expires_at) - world.clock.now()) / MINUTE) * 60)
const put = (person: Person, { id }: Json, body: unknown) => person.asks('PUT', `${FILTERS}/${id}`, { body })
const form = (person: Person, method: string, path: string, body: string) =>
  person.asks(method, path, { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } })

const NOT_FOUND = { status: 404, text: '{"error":"Record not found"}' }
const refusal = (...faults: string[]) => ({ status: 422, body: { error: `Validation failed: ${faults.join(', ')}` } })

describe('a filter', () => {
  test('has what was asked for, and what stands where nothing was', async () => {
    expect(await makes(mara)).toEqual({
      id: expect.stringMatching(/^\d+$/),
      title: 'drinks',
      context: ['home'],
      expires_at: null,
      filter_action: 'warn',
      keywords: [],
      statuses: [],
    })
    const whole = await makes(mara, {
      title: 'hot drinks',
      context: ['home', 'notifications', 'public', 'thread', 'account', 'home'],
      filter_action: 'hide',
      expires_in: 3600,
      keywords_attributes: [{ keyword: 'Tea', whole_word: false }, { keyword: 'coffee' }],
    })
    expect(whole).toMatchObject({
      title: 'hot drinks',
      context: ['home', 'notifications', 'public', 'thread', 'account'],
      filter_action: 'hide',
    })
    expect(secondsLeft(whole)).toBe(3600)
    expect(whole.keywords).toEqual([
      { id: expect.stringMatching(/^\d+$/), keyword: 'Tea', whole_word: false },
      { id: expect.stringMatching(/^\d+$/), keyword: 'coffee', whole_word: true },
    ])
    expect((await mara.get(`${FILTERS}/${whole.id}`)).body).toEqual(whole)
  })

  test('is on its owner’s list, oldest first, also when it has run out, and on no one else’s', async () => {
    const first = await makes(mara, { expires_in: 60 })
    const second = await makes(mara, { filter_action: 'blur' })
    world.clock.advance(2 * MINUTE)
    expect(await list(mara)).toEqual([first, second])
    expect(await list(joel)).toEqual([])
    expect(second.filter_action).toBe('blur')
  })

  test.each([
    ['no title', { title: undefined }, ["Title can't be blank"]],
    ['a blank title', { title: ' ' }, ["Title can't be blank"]],
    ['a title too long', { title: 'x'.repeat(257) }, ['Title is too long (maximum is 256 characters)']],
    ['no context', { context: undefined }, ['Context None or invalid context supplied']],
    ['an empty context', { context: [] }, ['Context None or invalid context supplied']],
    ['a context no one knows', { context: ['home', 'kitchen'] }, ['Context None or invalid context supplied']],
    ['an action no one knows', { filter_action: 'burn' }, ['Action is not included in the list']],
    ['a blank keyword', { keywords_attributes: [{ keyword: ' ', whole_word: true }] }, ["Keywords keyword can't be blank"]],
    ['an empty keyword', { keywords_attributes: [{ keyword: '' }] }, ["Keywords keyword can't be blank"]],
    ['a blank keyword alone', { keywords_attributes: [{ keyword: 'tea' }, { keyword: ' ' }] }, ["Keywords keyword can't be blank"]],
    [
      'a keyword too long',
      { keywords_attributes: [{ keyword: 'x'.repeat(513) }] },
      ['Keywords keyword is too long (maximum is 512 characters)'],
    ],
    [
      'all of it',
      { title: '', context: 'x', keywords_attributes: [{ keyword: '', whole_word: true }] },
      ["Title can't be blank", 'Context None or invalid context supplied', "Keywords keyword can't be blank"],
    ],
  ])('is not made with %s', async (_what, given, faults) => {
    expect(await mara.post(FILTERS, { title: 'drinks', context: ['home'], ...given })).toMatchObject(refusal(...faults))
    expect(await list(mara)).toEqual([])
  })

  test('counts characters, not their halves', async () => {
    await makes(mara, { title: '🍵'.repeat(256), keywords_attributes: [{ keyword: '🍵'.repeat(512) }] })
  })

  test('is not made with a keyword that is named by id', async () => {
    const { keywords } = await withKeywords(mara, 'tea')
    for (const id of [keywords[0].id, '1', 'tea']) {
      expect(await mara.post(FILTERS, { title: '', context: ['home'], keywords_attributes: [{ id, keyword: 'x' }] })).toMatchObject(
        NOT_FOUND,
      )
    }
    expect(await list(mara)).toHaveLength(1)
  })

  test('is changed in what is said, and in nothing else', async () => {
    const made = await makes(mara, { filter_action: 'hide', expires_in: 600, keywords_attributes: [{ keyword: 'tea' }] })
    expect((await put(mara, made, {})).body).toEqual(made)
    expect((await put(mara, made, { title: 'cold drinks' })).body).toEqual({ ...made, title: 'cold drinks' })
    expect((await put(mara, made, { context: ['thread'], filter_action: 'warn' })).body).toMatchObject({
      title: 'cold drinks',
      context: ['thread'],
      filter_action: 'warn',
      expires_at: made.expires_at,
    })
    expect((await put(mara, made, { title: '' })).body.error).toBe("Validation failed: Title can't be blank")
    expect((await put(mara, made, { context: [] })).body.error).toBe('Validation failed: Context None or invalid context supplied')
    expect((await put(mara, made, { filter_action: 'x' })).body.error).toBe('Validation failed: Action is not included in the list')
  })

  test('ends later, now or never', async () => {
    const made = await makes(mara, { expires_in: 600 })
    const after = async (body: unknown) => secondsLeft((await put(mara, made, body)).body)
    expect(await after({ expires_in: '1200' })).toBe(1200)
    expect(await after({ expires_in: '' })).toBeNull()
    expect(await after({ expires_in: 60 })).toBe(60)
    expect(await after({ expires_in: null })).toBeNull()
    expect(await after({ expires_in: 0 })).toBe(0)
    expect(await after({ expires_in: 1e15 })).toBe(100 * 366 * 86_400)
    expect((await form(mara, 'PUT', `${FILTERS}/${made.id}`, 'expires_in=')).body.expires_at).toBeNull()
  })

  test.each([
    ['abc', 'Expires in is not a number'],
    [-5, 'Expires in must be greater than or equal to 0'],
    ['-5', 'Expires in must be greater than or equal to 0'],
    ['1.5', 'Expires in is not a number'],
    [true, 'Expires in is not a number'],
    [{ a: 1 }, 'Expires in is not a number'],
  ])('that would end in %j seconds is neither made nor changed', async (expires_in, fault) => {
    const made = await makes(mara, { expires_in: 600 })
    expect(await mara.post(FILTERS, { title: 'tea', context: ['home'], expires_in })).toMatchObject(refusal(fault))
    expect(await put(mara, made, { title: 'new', expires_in })).toMatchObject(refusal(fault))
    expect(await list(mara)).toEqual([made])
  })

  test('goes with all its parts', async () => {
    const made = await withKeywords(mara, 'tea')
    const said = await joel.says('tea')
    const entry = (await mara.post(`${FILTERS}/${made.id}/statuses`, { status_id: said.id })).body
    expect(await mara.asks('DELETE', `${FILTERS}/${made.id}`)).toMatchObject({ status: 200, text: '{}' })
    for (const path of [made.id, `keywords/${made.keywords[0].id}`, `statuses/${entry.id}`, `${made.id}/keywords`, `${made.id}/statuses`]) {
      expect(await mara.get(`${FILTERS}/${path}`)).toMatchObject(NOT_FOUND)
    }
    expect(await mara.asks('DELETE', `${FILTERS}/${made.id}`)).toMatchObject(NOT_FOUND)
  })
})

describe('keywords of a change', () => {
  test.each([
    ['as lists of hashes', 'keywords_attributes[][keyword]=tea&keywords_attributes[][whole_word]=0&keywords_attributes[][keyword]=cake'],
    ['by number', 'keywords_attributes[0][keyword]=tea&keywords_attributes[0][whole_word]=false&keywords_attributes[1][keyword]=cake'],
    ['by any number', 'keywords_attributes[171][keyword]=tea&keywords_attributes[171][whole_word]=f&keywords_attributes[36][keyword]=cake'],
  ])('are read from a form %s', async (_how, keywords) => {
    const { body } = await form(mara, 'POST', FILTERS, `title=drinks&context[]=home&context[]=public&${keywords}`)
    expect([body.context, words(body)]).toEqual([
      ['home', 'public'],
      [
        ['tea', false],
        ['cake', true],
      ],
    ])
  })

  test('are read from JSON as a list and as an object by number', async () => {
    const entries = [{ keyword: 'tea', whole_word: false }, { keyword: 'cake' }]
    for (const keywords_attributes of [entries, { ...entries }]) {
      expect(words(await makes(mara, { keywords_attributes }))).toEqual([
        ['tea', false],
        ['cake', true],
      ])
    }
  })

  test('are added, changed and removed together', async () => {
    const made = await withKeywords(mara, 'tea', 'cake', 'jam')
    const [tea, cake, jam] = made.keywords
    const { body } = await put(mara, made, {
      keywords_attributes: [
        { id: tea.id, keyword: 'green tea' },
        { id: cake.id, whole_word: false },
        { id: jam.id, _destroy: true },
        { keyword: 'scones' },
        { keyword: 'never', _destroy: '1' },
        { keyword: null },
      ],
    })
    expect(words(body)).toEqual([
      ['green tea', true],
      ['cake', false],
      ['scones', true],
    ])
    expect(body.keywords.slice(0, 2).map(({ id }: Json) => id)).toEqual([tea.id, cake.id])
    const path = `${FILTERS}/${made.id}`
    const typed = `keywords_attributes[0][id]=${tea.id}&keywords_attributes[0][_destroy]=true&keywords_attributes[1][id]=${cake.id}&keywords_attributes[1][keyword]=pie&keywords_attributes[1][_destroy]=false`
    expect(words((await form(mara, 'PUT', path, typed)).body)).toEqual([
      ['pie', false],
      ['scones', true],
    ])
  })

  test('change nothing when one of them is not there, is another’s or is blank', async () => {
    const made = await withKeywords(mara, 'tea')
    const other = await withKeywords(mara, 'cake')
    const foreign = await withKeywords(joel, 'jam')
    for (const id of [other.keywords[0].id, foreign.keywords[0].id, '9007199254740993', 'tea']) {
      const change = { title: 'new', keywords_attributes: [{ keyword: 'added' }, { id: made.keywords[0].id, _destroy: true }, { id }] }
      expect(await put(mara, made, change)).toMatchObject(NOT_FOUND)
    }
    const blank = { title: 'new', keywords_attributes: [{ keyword: 'added' }, { id: made.keywords[0].id, keyword: '' }] }
    expect(await put(mara, made, blank)).toMatchObject(refusal("Keywords keyword can't be blank"))
    expect(await list(mara)).toEqual([made, other])
    expect(await list(joel)).toEqual([foreign])
  })
})

describe('a keyword', () => {
  test('is added, read, changed and removed by itself', async () => {
    const made = await makes(mara)
    const added = (await mara.post(`${FILTERS}/${made.id}/keywords`, { keyword: 'tea' })).body
    expect(added).toEqual({ id: expect.stringMatching(/^\d+$/), keyword: 'tea', whole_word: true })
    const second = (await mara.post(`${FILTERS}/${made.id}/keywords`, { keyword: 'cake', whole_word: false })).body
    expect((await mara.get(`${FILTERS}/${made.id}/keywords`)).body).toEqual([added, second])
    const path = `${FILTERS}/keywords/${added.id}`
    expect((await mara.get(path)).body).toEqual(added)
    expect((await mara.asks('PUT', path, { body: { keyword: 'green tea' } })).body).toEqual({ ...added, keyword: 'green tea' })
    expect((await mara.asks('PUT', path, { body: { keyword: 'tea', whole_word: false } })).body).toEqual({ ...added, whole_word: false })
    expect((await mara.get(path)).body).toEqual({ ...added, whole_word: false })
    expect(await mara.asks('DELETE', path)).toMatchObject({ status: 200, text: '{}' })
    expect(await mara.asks('DELETE', path)).toMatchObject(NOT_FOUND)
    expect((await list(mara))[0].keywords).toEqual([second])
  })

  test('is refused blank or too long', async () => {
    const { id, keywords } = await withKeywords(mara, 'tea')
    const long = { keyword: 'x'.repeat(513) }
    for (const body of [{}, { keyword: '' }, { keyword: '\n' }]) {
      expect(await mara.post(`${FILTERS}/${id}/keywords`, body)).toMatchObject(refusal("Keyword can't be blank"))
      expect(await mara.asks('PUT', `${FILTERS}/keywords/${keywords[0].id}`, { body })).toMatchObject(refusal("Keyword can't be blank"))
    }
    expect(await mara.post(`${FILTERS}/${id}/keywords`, long)).toMatchObject(refusal('Keyword is too long (maximum is 512 characters)'))
    expect((await list(mara))[0].keywords).toEqual(keywords)
  })
})

describe('a status of a filter', () => {
  test('is added, read and taken out; a boost as what it is', async () => {
    const said = await joel.says('tea')
    const made = await makes(mara)
    const path = `${FILTERS}/${made.id}/statuses`
    const added = (await mara.post(path, { status_id: said.id })).body
    expect(added).toEqual({ id: expect.stringMatching(/^\d+$/), status_id: said.id })
    const boost = await mara.reacts('reblog', said)
    const second = (await mara.post(path, { status_id: boost.id })).body
    expect(second.status_id).toBe(boost.id)
    expect((await mara.get(path)).body).toEqual([added, second])
    expect((await list(mara))[0].statuses).toEqual([added, second])
    expect((await mara.get(`${FILTERS}/statuses/${added.id}`)).body).toEqual(added)
    expect(await mara.asks('DELETE', `${FILTERS}/statuses/${added.id}`)).toMatchObject({ status: 200, text: '{}' })
    expect(await mara.asks('DELETE', `${FILTERS}/statuses/${added.id}`)).toMatchObject(NOT_FOUND)
    expect((await mara.get(path)).body).toEqual([second])
  })

  test('is not added twice to one filter', async () => {
    const said = await joel.says('tea')
    const [one, two] = [await makes(mara), await makes(mara)]
    const add = ({ id }: Json) => mara.post(`${FILTERS}/${id}/statuses`, { status_id: said.id })
    expect((await add(one)).status).toBe(200)
    expect((await add(two)).status).toBe(200)
    expect(await add(one)).toMatchObject(refusal('Status has already been taken'))
  })

  test('is not there when it cannot be seen, and goes with the status', async () => {
    const secret = await joel.says('psst', { visibility: 'direct' })
    const said = await joel.says('tea')
    const { id } = await makes(mara)
    for (const body of [{ status_id: secret.id }, { status_id: '1' }, { status_id: 'tea' }, { status_id: '' }, {}]) {
      expect(await mara.post(`${FILTERS}/${id}/statuses`, body)).toMatchObject(NOT_FOUND)
    }
    const added = (await mara.post(`${FILTERS}/${id}/statuses`, { status_id: said.id })).body
    expect((await joel.asks('DELETE', `/api/v1/statuses/${said.id}`)).status).toBe(200)
    expect((await mara.get(`${FILTERS}/${id}/statuses`)).body).toEqual([])
    expect(await mara.get(`${FILTERS}/statuses/${added.id}`)).toMatchObject(NOT_FOUND)
  })
})

test('what is another’s is missing, byte for byte', async () => {
  const made = await withKeywords(joel, 'tea')
  const said = await joel.says('tea')
  const entry = (await joel.post(`${FILTERS}/${made.id}/statuses`, { status_id: said.id })).body
  const keyword = made.keywords[0].id
  const asked = (filterId: string, keywordId: string, entryId: string) =>
    [
      ['GET', `${FILTERS}/${filterId}`],
      ['PUT', `${FILTERS}/${filterId}`, { title: '' }],
      ['DELETE', `${FILTERS}/${filterId}`],
      ['GET', `${FILTERS}/${filterId}/keywords`],
      ['POST', `${FILTERS}/${filterId}/keywords`, { keyword: '' }],
      ['GET', `${FILTERS}/${filterId}/statuses`],
      ['POST', `${FILTERS}/${filterId}/statuses`, { status_id: said.id }],
      ['GET', `${FILTERS}/keywords/${keywordId}`],
      ['PUT', `${FILTERS}/keywords/${keywordId}`, { keyword: '' }],
      ['DELETE', `${FILTERS}/keywords/${keywordId}`],
      ['GET', `${FILTERS}/statuses/${entryId}`],
      ['DELETE', `${FILTERS}/statuses/${entryId}`],
      ['GET', `/api/v1/filters/${keywordId}`],
      ['PUT', `/api/v1/filters/${keywordId}`, { phrase: '' }],
      ['DELETE', `/api/v1/filters/${keywordId}`],
    ] as const
  const all = [...asked(made.id, keyword, entry.id), ...asked('9223372036854775807', '9223372036854775807', '0'), ...asked('x', 'x', 'x')]
  for (const [method, path, body] of all) {
    expect([method, path, await mara.asks(method, path, body ? { body } : {})]).toMatchObject([method, path, NOT_FOUND])
  }
  expect(await list(joel)).toEqual([{ ...made, statuses: [entry] }])
})

describe('there is room', () => {
  const many = (count: number, length: number) =>
    Array.from({ length: count }, (_, index) => ({ keyword: String(index).padEnd(length, 'x') }))

  test('for so many filters', async () => {
    await query(
      world,
      "insert into statuses.filter (account_id, title, contexts, action) select $1, 'drinks', '{home}', 'warn' from generate_series(1, 999)",
      [mara.id],
    )
    await makes(mara)
    expect(await mara.post(FILTERS, { title: 'one more', context: ['home'] })).toMatchObject(refusal('Filters are limited to 1000'))
    expect(await mara.post('/api/v1/filters', { phrase: 'one more', context: ['home'] })).toMatchObject(
      refusal('Filters are limited to 1000'),
    )
    expect(await list(mara)).toHaveLength(1000)
    await makes(joel)
  })

  test('for so many keywords in all, on every way to add them', async () => {
    for (let part = 0; part < 4; part++) await makes(mara, { keywords_attributes: many(400, 5) })
    const { id } = await makes(mara, { keywords_attributes: many(400, 5) })
    const before = await list(mara)
    const full = refusal('Keywords of all filters are limited to 2000')
    expect(await mara.post(`${FILTERS}/${id}/keywords`, { keyword: 'x' })).toMatchObject(full)
    expect(await put(mara, { id }, { title: 'new', keywords_attributes: [{ keyword: 'x' }] })).toMatchObject(full)
    expect(await mara.post('/api/v1/filters', { phrase: 'x', context: ['home'] })).toMatchObject(full)
    expect(await list(mara)).toEqual(before)
  })

  test('for so many characters in all', async () => {
    const { id, keywords } = await makes(mara, { keywords_attributes: many(100, 500) })
    const full = refusal('Keywords of all filters are limited to 50000 characters together')
    expect(await mara.post(`${FILTERS}/${id}/keywords`, { keyword: 'x' })).toMatchObject(full)
    const longer = { keyword: 'x'.repeat(501) }
    expect(await mara.asks('PUT', `${FILTERS}/keywords/${keywords[0].id}`, { body: longer })).toMatchObject(full)
  })
})

test('acts at once on one filter come one after the other', async () => {
  const { id, keywords } = await withKeywords(mara, ...Array.from({ length: 10 }, (_, index) => `word ${index}`))
  const said = await joel.says('tea')
  const answers = await Promise.all([
    ...keywords.map((keyword: Json) => mara.asks('DELETE', `${FILTERS}/keywords/${keyword.id}`)),
    ...keywords.map((keyword: Json) =>
      put(mara, { id }, { keywords_attributes: [{ id: keyword.id, _destroy: true }, { keyword: 'new' }] }),
    ),
    ...keywords.map(() => mara.post(`${FILTERS}/${id}/statuses`, { status_id: said.id })),
    joel.asks('DELETE', `/api/v1/statuses/${said.id}`),
  ])
  const statuses = answers.map(({ status }) => status)
  const [removed, replaced] = [statuses.slice(0, 10), statuses.slice(10, 20)]
  expect(statuses.filter((status) => ![200, 404, 422].includes(status))).toEqual([])
  const replacements = replaced.filter((status) => status === 200).length
  expect(removed.filter((status) => status === 200).length + replacements).toBe(10)
  const [filter] = await list(mara)
  expect(words(filter)).toEqual(Array(replacements).fill(['new', true]))
  expect(filter.statuses).toEqual([])
})

test('a status that goes while its filters change stands in no one’s way', async () => {
  const own = await World.open()
  const { ines } = await own.cast('ines')
  for (let round = 0; round < 15; round++) {
    const said = await ines.says('tea')
    const [one, two] = await Promise.all([makes(ines), makes(ines)])
    const entry = (await ines.post(`${FILTERS}/${one.id}/statuses`, { status_id: said.id })).body
    const answers = await Promise.all([
      ines.asks('DELETE', `${FILTERS}/statuses/${entry.id}`),
      ines.asks('DELETE', `/api/v1/statuses/${said.id}`),
      ines.post(`${FILTERS}/${two.id}/statuses`, { status_id: said.id }),
      ines.asks('DELETE', `${FILTERS}/${one.id}`),
    ])
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  }
  expect(await deadlocksOf(own)).toBe(0)
  await own.close()
})
