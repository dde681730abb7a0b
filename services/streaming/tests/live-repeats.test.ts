import { World } from '@rookery/test-world'
import { query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, expect, test } from 'vitest'

// A relay that is killed after the bus has its events publishes them again.

let world: World
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world?.close())

/** Copies the events that an outbox gets from now on; resolves to a function that inserts them again. */
const recordEvents = async (schema: string) => {
  await query(world, `create table ${schema}.copied as select topic, key, envelope from ${schema}.outbox where false`)
  await query(
    world,
    `create function ${schema}.copy_event() returns trigger language plpgsql security definer as $$
     begin insert into ${schema}.copied values (old.topic, old.key, old.envelope); return old; end $$`,
  )
  await query(world, `create trigger copy_event after delete on ${schema}.outbox for each row execute function ${schema}.copy_event()`)
  return async () => {
    await query(world, `drop trigger copy_event on ${schema}.outbox`)
    await query(world, `insert into ${schema}.outbox (topic, key, envelope) select topic, key, envelope from ${schema}.copied`)
  }
}

test('streams deliver an event once when the relay publishes it twice', async () => {
  const { author, reader } = await world.cast('author', 'reader')
  await reader.follows(author)
  const doomed = await author.says('doomed')
  const edited = await author.says('before')
  await world.idle()
  const streams = [await reader.listens('user'), await reader.listens('direct')]
  const republish = [await recordEvents('statuses'), await recordEvents('notifications')]

  const said = await author.says('@reader hello')
  const whispered = await author.says('@reader hush', { visibility: 'direct' })
  await author.asks('PUT', `/api/v1/statuses/${edited.id}`, { body: { status: 'after' } })
  await author.asks('DELETE', `/api/v1/statuses/${doomed.id}`)
  await reader.post('/api/v2/filters', { title: 'tea', context: ['home'] })
  await world.idle()
  const delivered = () => streams.flatMap(({ frames }) => frames.map(({ event, payload }) => [event, payload]))
  await expect
    .poll(() =>
      delivered()
        .map(([event]) => event)
        .toSorted(),
    )
    .toEqual(['conversation', 'delete', 'filters_changed', 'notification', 'notification', 'status.update', 'update', 'update'].toSorted())
  const before = delivered()

  for (const each of republish) await each()
  const last = await author.says('@reader the end')
  await streams[0]!.hears(({ event, payload }) => event === 'notification' && JSON.parse(payload ?? '').status.id === last.id)
  await streams[0]!.hears(({ event, payload }) => event === 'update' && JSON.parse(payload ?? '').id === last.id)
  expect(delivered().filter(([, payload]) => !payload?.includes(last.id))).toEqual(before)
  expect((await reader.home()).map(({ id }) => id)).toEqual([last.id, whispered.id, said.id, edited.id])
  for (const stream of streams) await stream.close()
})
