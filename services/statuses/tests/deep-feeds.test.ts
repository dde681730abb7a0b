import { FeedOperatorDefinition } from '@rookery/contracts/statuses'
import { type Person, World } from '@rookery/test-world'
import { innerCall, operatorClient } from '@rookery/test-world/calls'
import { idsOf, linksOf, query, runJob, saidLongAgo, walk } from '@rookery/test-world/queries'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: World
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

const HOME = '/api/v1/timelines/home'
const DAY = 86_400_000
const storedOf = async ({ id }: Person): Promise<string[]> =>
  (await query(world, 'select status_id from statuses.feed where account_id = $1 order by status_id desc', [id])).map(
    (row) => row.status_id,
  )
const homeOf = async (person: Person) => {
  await world.idle()
  return idsOf(await person.home('?limit=40'))
}

describe('a home of 3,000', () => {
  let reader: Person
  let all: string[]
  beforeAll(async () => {
    const { rosa, said, more, other } = await world.cast('rosa', 'said', 'more', 'other')
    reader = rosa
    const [first, second] = [await saidLongAgo(world, said, 1500), await saidLongAgo(world, more, 1500)]
    // What does not belong stands between the rest.
    await query(world, 'update statuses.status set language = $2 where id = any($1)', [first.filter((_, index) => index % 5 === 0), 'fr'])
    const boosted = await other.says('boosted')
    for (const person of [said, more]) await person.reacts('reblog', boosted)
    await rosa.follows(said, { languages: ['de'] })
    await rosa.follows(more)
    await world.idle()
    const [boost] = idsOf(await rosa.home('?limit=1'))
    all = [boost!, ...[...first.filter((_, index) => index % 5 !== 0), ...second].sort((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1))]
  })

  test('stores 800 and is read whole in both directions, nothing twice', async () => {
    expect(all).toHaveLength(2701)
    expect(await storedOf(reader)).toEqual(all.slice(0, 800))
    expect((await walk(reader, `${HOME}?limit=40`)).flatMap(idsOf)).toEqual(all)
    expect((await walk(reader, `${HOME}?limit=40&min_id=1`, 'prev')).toReversed().flatMap(idsOf)).toEqual(all)
    expect((await walk(reader, `${HOME}?limit=33&min_id=${all[1000]}`, 'prev')).toReversed().flatMap(idsOf)).toEqual(all.slice(0, 1000))
  }, 60_000)

  test('goes over the floor within a page, by any bounds', async () => {
    const ids = async (parameters: string) => idsOf((await reader.get(`${HOME}?${parameters}`)).body)
    expect(await ids(`limit=40&max_id=${all[780]}`)).toEqual(all.slice(781, 821))
    expect(await ids(`limit=40&min_id=${all[820]}`)).toEqual(all.slice(780, 820))
    expect(await ids(`limit=40&max_id=${all[780]}&since_id=${all[805]}`)).toEqual(all.slice(781, 805))
    expect(await ids(`limit=40&max_id=${all[790]}&min_id=${all[810]}`)).toEqual(all.slice(791, 810))
    expect(await ids(`limit=40&max_id=${all[2000]}&min_id=${all[2005]}`)).toEqual(all.slice(2001, 2005))
    expect(await ids(`limit=40&max_id=${all[2700]}`)).toEqual([])
    const page = await reader.get(`${HOME}?limit=40&max_id=${all[780]}`)
    const cursors = [linksOf(page)['next'], linksOf(page)['prev']].map((link) => new URL(link!).search)
    expect(cursors).toEqual([`?limit=40&max_id=${all[820]}`, `?limit=40&min_id=${all[781]}`])
  })

  test('costs a fixed number of statements wherever it is read', async () => {
    const costOf = async (parameters: string) => {
      await reader.get(`${HOME}?${parameters}`)
      await reader.get(`${HOME}?${parameters}`)
      return world.lastRequest
    }
    expect(await costOf('limit=40')).toEqual({ hops: 2, statements: 2 })
    for (const limit of [1, 40]) {
      expect(await costOf(`limit=${limit}&max_id=${all[1000]}`)).toEqual({ hops: 2, statements: 2 })
      expect(await costOf(`limit=${limit}&min_id=${all[2000]}`)).toEqual({ hops: 2, statements: 3 })
    }
  })

  test('shows no boost near its original or another below the floor either', async () => {
    const boosts = all.slice(1000, 1003)
    await query(world, 'update statuses.status_head set reblog_of_id = $2 where id = any($1)', [[boosts[0], boosts[2]], all[1010]])
    const without = all.slice(990, 1030).filter((id) => id !== boosts[0] && id !== boosts[2])
    expect(idsOf((await reader.get(`${HOME}?limit=38&max_id=${all[989]}`)).body)).toEqual(without)
    expect(idsOf((await reader.get(`${HOME}?limit=38&min_id=${all[1030]}`)).body)).toEqual(without)
  })

  test('is whole where its floor has fallen since it was read', async () => {
    const { nora, otto, paula } = await world.cast('nora', 'otto', 'paula')
    const kept = await saidLongAgo(world, otto, 900)
    await saidLongAgo(world, paula, 900)
    for (const person of [otto, paula]) await nora.follows(person)
    await world.idle()
    const pageBelow = async (id: string) => idsOf((await nora.get(`${HOME}?limit=20&max_id=${id}`)).body)
    expect(await pageBelow(kept[500]!)).toHaveLength(20)
    await nora.does('unfollow', paula)
    await world.idle()
    expect(await pageBelow(kept[500]!)).toEqual(kept.slice(501, 521))
    expect(await pageBelow(kept[790]!)).toEqual(kept.slice(791, 811))
  })
})

describe('a home that is yet to be built', () => {
  test('answers 206 with what is there until the first follow was acted on', async () => {
    const { tom, ulla } = await world.cast('tom', 'ulla')
    const said = await ulla.says('hello')
    const own = await tom.says('mine')
    expect((await tom.get(HOME)).status).toBe(200)
    await world.idle()
    await tom.follows(ulla)
    // The event may be acted on at any moment: undo it, as if it were still under way.
    await world.idle()
    await query(world, 'delete from statuses.home where account_id = $1', [tom.id])
    await query(world, 'delete from statuses.feed where account_id = $1 and status_id = $2', [tom.id, said.id])
    const early = await tom.get(HOME)
    expect([early.status, idsOf(early.body)]).toEqual([206, [own.id]])
    await world.advance(0)
    const later = await tom.get(HOME)
    expect([later.status, idsOf(later.body)]).toEqual([200, [own.id, said.id]])
  })

  test('rests after 30 days without its reader, who finds it whole again', async () => {
    const { vilma, walt } = await world.cast('vilma', 'walt')
    await vilma.follows(walt)
    const before = await walt.says('before')
    expect(await homeOf(vilma)).toEqual([before.id])
    world.clock.advance(29 * DAY)
    await runJob(world, 'rest-homes')
    expect((await vilma.get(HOME)).status).toBe(200)
    world.clock.advance(31 * DAY)
    await runJob(world, 'rest-homes')
    expect(await storedOf(vilma)).toEqual([])
    const away = await walt.says('away')
    await world.idle()
    expect(await storedOf(vilma)).toEqual([])
    const own = await vilma.says('back')
    const early = await vilma.get(HOME)
    expect([early.status, idsOf(early.body)]).toEqual([206, [own.id]])
    await world.advance(0)
    const later = await vilma.get(HOME)
    expect([later.status, idsOf(later.body)]).toEqual([200, [own.id, away.id, before.id]])
    const after = await walt.says('after')
    expect((await homeOf(vilma))[0]).toBe(after.id)
  })
})

test('homes are trimmed while they grow, and are whole all the same', async () => {
  const { xenia, yves } = await world.cast('xenia', 'yves')
  await xenia.follows(yves)
  const old = await saidLongAgo(world, yves, 1400)
  await query(world, 'insert into statuses.feed (account_id, status_id) select $1, unnest($2::bigint[])', [xenia.id, old])
  const fresh: string[] = []
  // About one entry in 128 has the home trimmed that it comes into.
  for (let round = 0; round < 40 && (await storedOf(xenia)).length > 1000; round++) {
    fresh.push(...idsOf(await Promise.all(Array.from({ length: 30 }, (_, index) => yves.says(`${index}`)))))
    await world.idle()
  }
  fresh.sort((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1))
  const stored = await storedOf(xenia)
  expect(stored.length).toBeLessThan(830)
  expect((await walk(xenia, `${HOME}?limit=40`)).flatMap(idsOf)).toEqual([...fresh, ...old])
}, 60_000)

describe('comparing homes with what they should hold', () => {
  const compares = (more: object = {}) => {
    const request = { username: '', afterId: '', limit: 1000, repair: false, ...more }
    return operatorClient(world, FeedOperatorDefinition).compare(innerCall(), request)
  }
  const metric = (name: string) => Number(world.rookery.metrics.find((each) => each.name === `rookery_homes_${name}_total`)!.count())

  test('finds what is missing and what is not to be there, and mends it', async () => {
    const { zoe, adam, bert, carl } = await world.cast('zoe', 'adam', 'bert', 'carl')
    for (const other of [adam, bert]) await zoe.follows(other)
    const original = await carl.says('original')
    const [first, second] = [await adam.reacts('reblog', original), await bert.says('second')]
    const repeated = await bert.reacts('reblog', original)
    const home = [second.id, first.id]
    expect(await homeOf(zoe)).toEqual(home)
    world.clock.advance(61_000)
    // Posts that were put there as rows came into no home of their authors.
    await compares({ repair: true })
    expect((await compares()).differences).toEqual([])
    const unmade = async (text: string, values: unknown[]) => {
      await query(world, text, values)
      return (await compares({ username: 'ZOE' })).differences
    }
    const remove = 'delete from statuses.feed where account_id = $1 and status_id = $2'
    const add = 'insert into statuses.feed (account_id, status_id) values ($1, $2)'
    expect(await unmade(add, [zoe.id, original.id])).toEqual([{ accountId: zoe.id, missing: 0, unwanted: 1 }])
    expect(await unmade(remove, [zoe.id, original.id])).toEqual([])
    expect(await unmade(remove, [zoe.id, first.id])).toEqual([{ accountId: zoe.id, missing: 2, unwanted: 0 }])
    // Any boost of it will do.
    const boost = 'insert into statuses.feed (account_id, status_id, reblog_of_id) values ($1, $2, $3)'
    expect(await unmade(boost, [zoe.id, repeated.id, original.id])).toEqual([])
    expect(await unmade(remove, [zoe.id, second.id])).toEqual([{ accountId: zoe.id, missing: 1, unwanted: 0 }])
    expect((await compares({ repair: true })).differences).toHaveLength(1)
    expect((await compares()).differences).toEqual([])
    expect(await homeOf(zoe)).toEqual(home)
    await expect(compares({ username: 'nobody' })).rejects.toThrow('There is no account nobody.')
  })

  test('is done by itself, and its findings are counted', async () => {
    const { dora, emil } = await world.cast('dora', 'emil')
    await dora.follows(emil)
    const said = await emil.says('said')
    const young = await emil.says('young')
    expect(await homeOf(dora)).toEqual([young.id, said.id])
    const [compared, missing] = [metric('compared'), metric('missing')]
    await query(world, 'delete from statuses.feed where account_id = $1', [dora.id])
    await query(world, 'update statuses.home set compared_at = now() where account_id <> $1', [dora.id])
    await runJob(world, 'compare-homes')
    // What was said within the last minute may still be on its way.
    expect([await storedOf(dora), metric('missing')]).toEqual([[], missing])
    world.clock.advance(61_000)
    await runJob(world, 'compare-homes')
    expect(await homeOf(dora)).toEqual([young.id, said.id])
    expect(metric('missing')).toBe(missing + 2)
    expect(metric('compared')).toBeGreaterThan(compared + 1)
  })

  test('goes on after the owners it was given', async () => {
    const all = await compares()
    const [one, rest] = [await compares({ limit: 1 }), await compares({ limit: 3, afterId: '0' })]
    expect([one.compared, rest.compared]).toEqual([1, 3])
    expect((await compares({ afterId: all.lastId })).compared).toBe(0)
    expect((await compares({ afterId: one.lastId })).compared).toBe(all.compared - 1)
  })
})
