import { World } from '@rookery/test-world'
import { holding, idsOf, untilSomeoneWaits } from '@rookery/test-world/queries'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Whom posts are announced to is read once they are placed in homes.

let world: World
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

test('who connects while a post is placed has it on the stream once it is at home, and once', async () => {
  const { anna, near, late } = await world.cast('anna', 'near', 'late')
  for (const follower of [near, late]) await follower.follows(anna)
  await world.idle()
  const mine = await near.listens('user')
  // Placing waits for this lock.
  const lock = await holding(world)
  await lock.query("select pg_advisory_xact_lock(4712, hashtext('statuses'))")

  const said = await anna.says('to everyone')
  await untilSomeoneWaits(world)
  expect(idsOf(await near.home())).toEqual([])
  const theirs = await late.listens('user')
  expect([...mine.frames, ...theirs.frames]).toEqual([])

  await lock.end()
  for (const [listener, person] of [
    [mine, near],
    [theirs, late],
  ] as const) {
    await listener.hears(({ event }) => event === 'update')
    expect(idsOf(await person.home())).toEqual([said.id])
  }
  await world.idle()
  const heard = [mine, theirs].map(({ frames }) => frames.map(({ event, payload }) => [event, JSON.parse(payload!).id]))
  expect(heard).toEqual(Array(2).fill([['update', said.id]]))
  for (const listener of [mine, theirs]) await listener.close()
})
