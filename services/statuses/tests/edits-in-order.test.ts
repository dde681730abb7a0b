import { World } from '@rookery/test-world'
import { holding, untilSomeoneWaits } from '@rookery/test-world/queries'
import { afterAll, beforeAll, expect, test } from 'vitest'

// A client ignores an edit of what it does not have.

let world: World
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

test('an edit that follows at once is on streams behind the post, however long that takes to be placed', async () => {
  const { anna, near } = await world.cast('anna', 'near')
  await near.follows(anna)
  await world.idle()
  const listeners = [await near.listens('user'), await near.listens('public')]
  // Events wait for the first of these locks, so that both are taken together; placing waits for the second.
  const events = await holding(world)
  await events.query("select pg_advisory_xact_lock(4717, hashtext('statuses'))")
  const placing = await holding(world)
  await placing.query("select pg_advisory_xact_lock(4712, hashtext('statuses'))")

  const { id } = await anna.says('a post', { visibility: 'public' })
  expect((await anna.asks('PUT', `/api/v1/statuses/${id}`, { body: { status: 'an edited post' } })).status).toBe(200)
  await events.end()
  await untilSomeoneWaits(world)
  await placing.end()
  await world.idle()
  for (const listener of listeners) {
    await listener.hears(({ event }) => event === 'status.update')
    expect(listener.frames.map(({ event, payload }) => [event, JSON.parse(payload!).id])).toEqual([
      ['update', id],
      ['status.update', id],
    ])
    await listener.close()
  }
})
