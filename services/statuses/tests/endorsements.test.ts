import { type Person, World } from '@rookery/test-world'
import { idsOf, linksOf, query, walk } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: World
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

const shownBy = async (person: Person, reader: Pick<Person | World, 'get'> = world) =>
  idsOf((await reader.get(`/api/v1/accounts/${person.id}/endorsements`)).body)
const isEndorsed = async (viewer: Person, other: Person) =>
  (await viewer.get(`/api/v1/accounts/relationships?id[]=${other.id}`)).body[0].endorsed

describe('whom someone shows on their profile', () => {
  test.each([
    ['endorse', 'unendorse'],
    ['pin', 'unpin'],
  ])('is set by %s and taken away by %s', async (endorse, unendorse) => {
    const [shower, shown] = Object.values(await world.cast(`${endorse}r`, `${endorse}d`)) as [Person, Person]
    await shower.follows(shown)
    for (const _again of [1, 2]) expect(await shower.does(endorse, shown)).toMatchObject({ id: shown.id, following: true, endorsed: true })
    expect(await isEndorsed(shower, shown)).toBe(true)
    expect(await isEndorsed(shown, shower)).toBe(false)
    expect(await shownBy(shower)).toEqual([shown.id])
    for (const _again of [1, 2]) expect(await shower.does(unendorse, shown)).toMatchObject({ following: true, endorsed: false })
    expect(await shownBy(shower)).toEqual([])
  })

  test('are people they follow, and only as long as they do', async () => {
    const { anna, bert } = await world.cast('anna', 'bert')
    const fault = { error: 'Validation failed: You must be already following the person you want to endorse' }
    for (const act of ['endorse', 'pin']) {
      const answer = await anna.post(`/api/v1/accounts/${bert.id}/${act}`)
      expect([answer.status, answer.body]).toEqual([422, fault])
      expect((await anna.post(`/api/v1/accounts/${anna.id}/${act}`)).body).toEqual(fault)
    }
    for (const [by, act] of [
      [anna, 'unfollow'],
      [anna, 'block'],
      [bert, 'block'],
      [bert, 'remove_from_followers'],
    ] as const) {
      await anna.follows(bert)
      await anna.does('endorse', bert)
      await by.does(act, by === anna ? bert : anna)
      await anna.does('unblock', bert)
      await bert.does('unblock', anna)
      await anna.follows(bert)
      expect([act, await isEndorsed(anna, bert), await shownBy(anna)]).toEqual([act, false, []])
      await anna.does('unfollow', bert)
    }
  })

  test('come latest first, by pages or with limit=0 at once', async () => {
    const { cora } = await world.cast('cora')
    const people = Object.values(await world.cast('c1', 'c2', 'c3', 'c4', 'c5'))
    for (const person of people) await cora.follows(person)
    for (const person of people) await cora.does('endorse', person)
    const latestFirst = idsOf(people).reverse()
    for (const path of ['/api/v1/endorsements', `/api/v1/accounts/${cora.id}/endorsements`]) {
      expect((await walk(cora, `${path}?limit=2`)).map(idsOf)).toEqual([
        latestFirst.slice(0, 2),
        latestFirst.slice(2, 4),
        latestFirst.slice(4),
      ])
      const all = await cora.get(`${path}?limit=0`)
      expect([idsOf(all.body), linksOf(all).next]).toEqual([latestFirst, undefined])
      await cora.get(`${path}?limit=1`)
      const one = world.lastRequest
      await cora.get(path)
      expect(world.lastRequest).toEqual(one)
      // Who asks, whether they may, who it is, and their versions.
      expect(one).toEqual({ hops: 2, statements: 4 })
      const { prev } = linksOf(
        await cora.get(`${path}?limit=2&max_id=${/max_id=(\d+)/.exec(linksOf(await cora.get(`${path}?limit=2`)).next!)![1]}`),
      )
      expect(idsOf((await cora.get(prev!.replace('since_id', 'min_id'))).body)).toEqual(latestFirst.slice(0, 2))
    }
  })

  test('are no one for whom they block, and never who stands in a block with the reader', async () => {
    const { dora, emil, fritz } = await world.cast('dora', 'emil', 'fritz')
    for (const other of [emil, fritz]) {
      await dora.follows(other)
      await dora.does('endorse', other)
    }
    await emil.does('block', fritz)
    expect(await shownBy(dora, emil)).toEqual([emil.id])
    expect(await shownBy(dora, fritz)).toEqual([fritz.id])
    await dora.does('block', emil)
    expect(await shownBy(dora, emil)).toEqual([])
    expect(await shownBy(dora)).toEqual([fritz.id])
  })

  test('of no one is missing', async () => {
    const { gabi } = await world.cast('gabi')
    const answers = await Promise.all([
      ...['endorse', 'unendorse', 'pin', 'unpin'].map((act) => gabi.post(`/api/v1/accounts/1/${act}`)),
      gabi.get('/api/v1/accounts/1/endorsements'),
      gabi.get('/api/v1/accounts/x/endorsements'),
    ])
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['404 {"error":"Record not found"}']))
  })

  test('stay one and the same when said 20 times at once, also while the follow ends', async () => {
    const { hans, ines } = await world.cast('hans', 'ines')
    await hans.follows(ines)
    const times = Array.from({ length: 20 })
    await Promise.all(times.map(() => hans.does('endorse', ines)))
    expect(await shownBy(hans)).toEqual([ines.id])
    await Promise.all(times.map((_, index) => hans.post(`/api/v1/accounts/${ines.id}/${index === 10 ? 'unfollow' : 'endorse'}`)))
    expect(await shownBy(hans)).toEqual([])
    expect(await query(world, 'select 1 from statuses.endorsement where account_id = $1', [hans.id])).toEqual([])
  })
})
