import { type Answer, type Person, World } from '@rookery/test-world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// biome-ignore lint/suspicious/noExplicitAny: tests look at what the API says without restating its types
type Json = any

let world: World
let cast = 0
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

/** Someone who shows nothing yet. */
const newPerson = () => world.person(`mara${++cast}`)

const gist = ({ status, body }: Answer) => [status, body.error ?? body]
const features = (person: Person, name: string) => person.post('/api/v1/featured_tags', { name })
const list = async (person: Person): Promise<Json[]> => (await person.get('/api/v1/featured_tags')).body
const only = async (person: Person): Promise<Json> => {
  const tags = await list(person)
  expect(tags).toHaveLength(1)
  return tags[0]
}
const today = () => new Date(world.clock.now()).toISOString().slice(0, 10)
const suggestions = async (person: Person): Promise<string[]> =>
  (await person.get('/api/v1/featured_tags/suggestions')).body.map(({ name }: Json) => name)

describe('a featured tag', () => {
  test('is on the profile of who put it there, for everyone', async () => {
    const [mara, joel] = [await newPerson(), await newPerson()]
    await joel.says('#oolong of someone else')
    const answer = await features(mara, 'Oolong')
    expect(gist(answer)).toEqual([
      200,
      {
        id: expect.stringMatching(/^\d+$/),
        name: 'Oolong',
        url: `${world.origin}/@${mara.username}/tagged/oolong`,
        statuses_count: 0,
        last_status_at: null,
      },
    ])
    expect(await list(mara)).toEqual([answer.body])
    for (const reader of [world, joel, mara]) {
      expect((await reader.get(`/api/v1/accounts/${mara.id}/featured_tags`)).body).toEqual([answer.body])
    }
    expect(await list(joel)).toEqual([])
    expect((await world.get(`/api/v1/accounts/${joel.id}/featured_tags`)).body).toEqual([])
    for (const id of ['987654321', 'teapot']) {
      expect(gist(await world.get(`/api/v1/accounts/${id}/featured_tags`))).toEqual([404, 'Record not found'])
    }
    expect((await mara.get('/api/v1/tags/oolong')).body).toMatchObject({ featuring: true })
    expect((await joel.get('/api/v1/tags/oolong')).body).toMatchObject({ featuring: false })
    expect(gist(await mara.asks('DELETE', `/api/v1/featured_tags/${answer.body.id}`))).toEqual([200, {}])
    expect(await list(mara)).toEqual([])
  })

  test('counts what its owner said in public or unlisted, through edits and deletes', async () => {
    const mara = await newPerson()
    await features(mara, 'tea')
    const count = async () => {
      const { statuses_count, last_status_at } = await only(mara)
      return [statuses_count, last_status_at]
    }
    const said = await mara.says('#Tea, first')
    expect(await count()).toEqual([1, today()])
    await mara.says('#tea, unlisted, and #tea again', { visibility: 'unlisted' })
    await mara.says('#tea for followers', { visibility: 'private' })
    await mara.says('#tea for no one', { visibility: 'direct' })
    expect(await count()).toEqual([2, today()])
    const day = today()
    await world.advance(3 * 86_400_000)
    const later = await mara.says('no tag yet')
    expect(await count()).toEqual([2, day])
    await mara.asks('PUT', `/api/v1/statuses/${later.id}`, { body: { status: '#tea at last' } })
    expect(await count()).toEqual([3, today()])
    expect(today()).not.toBe(day)
    await mara.asks('PUT', `/api/v1/statuses/${later.id}`, { body: { status: 'no tag again' } })
    expect(await count()).toEqual([2, day])
    await mara.asks('DELETE', `/api/v1/statuses/${said.id}`)
    expect(await count()).toEqual([1, day])
    await mara.reacts('reblog', await (await newPerson()).says('#tea of another'))
    expect(await count()).toEqual([1, day])
  })

  test.each(['', ' ', '2024', 'two words', '#'])('is refused as %j', async (name) => {
    const mara = await newPerson()
    expect(gist(await features(mara, name))).toEqual([422, 'Validation failed: Tag is invalid'])
    expect(gist(await mara.post('/api/v1/featured_tags', {}))).toEqual([422, 'Validation failed: Tag is invalid'])
    expect(await list(mara)).toEqual([])
  })

  test('is refused a second time, however it is spelled', async () => {
    const mara = await newPerson()
    await features(mara, 'tea')
    for (const name of ['tea', '#TEA']) {
      expect(gist(await features(mara, name))).toEqual([422, 'Validation failed: Tag has already been taken'])
    }
    expect(await list(mara)).toHaveLength(1)
  })

  test('is one of ten, also when twenty are tried at once', async () => {
    const mara = await newPerson()
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => features(mara, `tea${index}`)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(10)
    const full = [422, 'Validation failed: You have already featured the maximum number of hashtags']
    expect(gist(refused[0]!)).toEqual(full)
    expect(gist(await mara.post('/api/v1/tags/coffee/feature'))).toEqual(full)
    const shown = await list(mara)
    expect(shown).toHaveLength(10)
    expect((await mara.post(`/api/v1/tags/${shown[0].name}/feature`)).body).toMatchObject({ featuring: true })
  })

  test('added or removed twenty times at once is so once', async () => {
    const mara = await newPerson()
    const twenty = (act: () => Promise<Answer>) => Promise.all(Array.from({ length: 20 }, act))
    const statuses = (answers: Answer[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b)
    expect(statuses(await twenty(() => features(mara, 'tea')))).toEqual([200, ...Array(19).fill(422)])
    const { id } = await only(mara)
    expect(statuses(await twenty(() => mara.asks('DELETE', `/api/v1/featured_tags/${id}`)))).toEqual([200, ...Array(19).fill(404)])
  })

  test('of another is missing, with the same bytes as one that never was', async () => {
    const [mara, joel] = [await newPerson(), await newPerson()]
    const { id } = (await features(mara, 'tea')).body
    const answers = await Promise.all([id, '987654321', 'teapot'].map((each) => joel.asks('DELETE', `/api/v1/featured_tags/${each}`)))
    expect(answers.map(({ status, text }) => [status, text])).toEqual(Array(3).fill([404, '{"error":"Record not found"}']))
    expect(await list(mara)).toHaveLength(1)
  })

  test('may be put there and taken off by its name, again the same as once', async () => {
    const mara = await newPerson()
    const twenty = (verb: string) => Promise.all(Array.from({ length: 20 }, () => mara.post(`/api/v1/tags/Tea/${verb}`)))
    expect((await twenty('feature')).map(({ status, body }) => [status, body.featuring])).toEqual(Array(20).fill([200, true]))
    expect(await only(mara)).toMatchObject({ name: 'Tea' })
    expect((await twenty('unfeature')).map(({ status, body }) => [status, body.featuring])).toEqual(Array(20).fill([200, false]))
    expect(await list(mara)).toEqual([])
    for (const verb of ['feature', 'unfeature']) {
      expect(gist(await mara.post(`/api/v1/tags/2024/${verb}`))).toEqual([404, 'Record not found'])
    }
  })
})

test('the one said most under comes first, at the same cost however many', async () => {
  const mara = await newPerson()
  await features(mara, 'coffee')
  await mara.get('/api/v1/featured_tags')
  const few = world.lastRequest
  await Promise.all(['tea', 'milk', 'cake'].map((name) => features(mara, name)))
  for (const text of ['#tea #milk', '#tea #milk', '#tea']) await mara.says(text)
  expect((await list(mara)).map(({ name, statuses_count }) => [name, statuses_count])).toEqual([
    ['tea', 3],
    ['milk', 2],
    ['cake', 0],
    ['coffee', 0],
  ])
  expect(world.lastRequest).toEqual(few)
  expect(few).toEqual({ hops: 2, statements: 2 })
})

test('suggested are the ten used most that others may see and that are not shown yet', async () => {
  const mara = await newPerson()
  expect(await suggestions(mara)).toEqual([])
  const names = Array.from({ length: 12 }, (_, index) => `s${index}x`)
  for (let index = 0; index < names.length; index++)
    await mara.says(
      names
        .slice(index)
        .map((name) => `#${name}`)
        .join(' '),
    )
  for (let again = 0; again < 15; again++) await mara.says('#hidden', { visibility: 'private' })
  await (await newPerson()).says('#another')
  const mostUsed = names.toReversed()
  expect(await suggestions(mara)).toEqual(mostUsed.slice(0, 10))
  await features(mara, mostUsed[0]!)
  expect(await suggestions(mara)).toEqual(mostUsed.slice(1, 11))
  const [first] = (await mara.get('/api/v1/featured_tags/suggestions')).body
  expect(first).toEqual((await mara.get(`/api/v1/tags/${mostUsed[1]}`)).body)
})
