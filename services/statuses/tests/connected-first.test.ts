import { type Listener, type Person, World } from '@rookery/test-world'
import { holding, idsOf, query, untilSomeoneWaits } from '@rookery/test-world/queries'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Statuses of authors whom more than five thousand follow: those who are connected get them before they are in all homes.

// Above all ids of others: homes are written in ranges of ids, and theirs are in one with the first of the crowd.
const FIRST_OF_THE_CROWD = 9_000_000_000_000_000_001n
const LAST_OF_THE_CROWD = FIRST_OF_THE_CROWD + 4999n
const CROWD = `generate_series(${FIRST_OF_THE_CROWD}, ${LAST_OF_THE_CROWD}) n`

let world: World
let star: Person
let near: Person
let other: Person
beforeAll(async () => {
  world = await World.open()
  ;({ star, near, other } = await world.cast('star', 'near', 'other'))
  await near.follows(star)
  await query(world, `insert into statuses.account (id, username, is_active, created_at) select n, 'crowd' || n, true, now() from ${CROWD}`)
  await query(
    world,
    `insert into statuses.follow (account_id, target_id, reblogs, notify, created_at)
     select n, $1, true, false, now() from ${CROWD}`,
    [star.id],
  )
  await query(world, 'update statuses.account set followers_count = 5001 where id = $1', [star.id])
  // The home of the first of the crowd is written when the lock is free.
  await query(
    world,
    `create function statuses.wait_for_test() returns trigger language plpgsql as
     $$ begin perform pg_advisory_xact_lock_shared(99); return new; end $$`,
  )
  await query(
    world,
    `create trigger wait_for_test before insert on statuses.feed for each row when (new.account_id = ${FIRST_OF_THE_CROWD})
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

test('a post whose homes are written in part when that fails is in all of them once it is tried again', async () => {
  await query(world, 'create sequence statuses.attempt')
  await query(world, 'grant usage on sequence statuses.attempt to public')
  await query(
    world,
    `create function statuses.fail_at_first() returns trigger language plpgsql as
     $$ begin if nextval('statuses.attempt') = 1 then raise exception 'full'; end if; return new; end $$`,
  )
  await query(
    world,
    `create trigger fail_at_first before insert on statuses.feed for each row when (new.account_id = ${LAST_OF_THE_CROWD})
     execute function statuses.fail_at_first()`,
  )
  const { id } = await star.says('to everyone')
  await world.idle()
  expect(await query(world, 'select last_value::int from statuses.attempt')).toEqual([{ last_value: 2 }])
  const followers = await query(world, 'select count(*)::int from statuses.follow where target_id = $1', [star.id])
  expect(await holdersOf(id)).toBe(followers[0].count + 1)
})
