import { type Listener, type Person, World } from '@rookery/test-world'
import { holding, idsOf, query, untilSomeoneWaits } from '@rookery/test-world/queries'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Statuses of authors whom more than five thousand follow: those who are connected get them before they are in all homes.

const LAST_OF_THE_CROWD = '1005000'

let world: World
let star: Person
let near: Person
let other: Person
beforeAll(async () => {
  world = await World.open()
  ;({ star, near, other } = await world.cast('star', 'near', 'other'))
  await near.follows(star)
  await query(
    world,
    `insert into statuses.account (id, username, is_active, created_at) select n, 'crowd' || n, true, now() from generate_series(1000001, 1005000) n`,
  )
  await query(
    world,
    `insert into statuses.follow (account_id, target_id, reblogs, notify, created_at)
     select n, $1, true, false, now() from generate_series(1000001, 1005000) n`,
    [star.id],
  )
  await query(world, 'update statuses.account set followers_count = 5001 where id = $1', [star.id])
  // The home of the last of the crowd is written when the lock is free.
  await query(
    world,
    `create function statuses.wait_for_test() returns trigger language plpgsql as
     $$ begin perform pg_advisory_xact_lock_shared(99); return new; end $$`,
  )
  await query(
    world,
    `create trigger wait_for_test before insert on statuses.feed for each row when (new.account_id = ${LAST_OF_THE_CROWD})
     execute function statuses.wait_for_test()`,
  )
  await world.idle()
})
afterAll(() => world.close())

const updatesOf = ({ frames }: Listener) => frames.flatMap(({ event, payload }) => (event === 'update' ? [JSON.parse(payload!).id] : []))
const holdersOf = async (id: string): Promise<number> =>
  (await query(world, 'select count(*)::int from statuses.feed where status_id = $1', [id]))[0].count

test.each<[string, string, () => Promise<{ id: string }>]>([
  ['a post', 'posted', () => star.says('to everyone')],
  ['a boost', 'boosted', async () => star.reacts('reblog', await other.says('for everyone'))],
])(
  '%s is at home and on the streams of who is connected before all homes have it, and once on those of who connects meanwhile',
  async (_, name, act) => {
    const { [name]: late } = await world.cast(name)
    await late!.follows(star)
    await world.idle()
    const [mine, shared] = [await near.listens('user'), await other.listens('public')]
    const lock = await holding(world)
    await lock.query('select pg_advisory_xact_lock(99)')

    const { id } = await act()
    await mine.hears(({ payload }) => JSON.parse(payload ?? '{}').id === id)
    expect(idsOf(await near.home())).toContain(id)
    await untilSomeoneWaits(world)
    expect(idsOf(await late!.home())).not.toContain(id)
    const theirs = await late!.listens('user')
    expect(idsOf(await late!.home())).not.toContain(id)

    await lock.end()
    await theirs.hears(({ payload }) => JSON.parse(payload ?? '{}').id === id)
    expect(idsOf(await late!.home())).toContain(id)
    await world.idle()
    expect([mine, theirs].map((listener) => updatesOf(listener).filter((each) => each === id))).toEqual([[id], [id]])
    if (name === 'posted') expect(updatesOf(shared)).toEqual([id])
    // The crowd, who follows by hand, and the author.
    const followers = await query(world, 'select count(*)::int from statuses.follow where target_id = $1', [star.id])
    expect(await holdersOf(id)).toBe(followers[0].count + 1)
    for (const listener of [mine, theirs, shared]) await listener.close()
  },
)
