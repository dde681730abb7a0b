import { pauseRelay } from '@rookery/events'
import { type Person, World } from '@rookery/test-world'
import { query } from '@rookery/test-world/queries'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Homes that take nothing, or nothing older than what they store. Apart from other tests, which compare homes with what they should hold.

let world: World
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

const storedOf = async ({ id }: Person): Promise<string[]> =>
  (await query(world, 'select status_id from statuses.feed where account_id = $1 order by status_id desc', [id])).map(
    (row) => row.status_id,
  )

test('a stream whose home rests gets one’s own posts, and what is placed in the homes of others', async () => {
  const { ada, bert, cleo } = await world.cast('ada', 'bert', 'cleo')
  for (const reader of [ada, cleo]) await reader.follows(bert)
  await world.idle()
  await query(world, 'update statuses.home set is_resting = true where account_id = $1', [ada.id])
  const [resting, awake] = [await ada.listens('user'), await cleo.listens('user')]
  const away = await bert.says('away')
  const boosted = await bert.asks('POST', `/api/v1/statuses/${(await ada.says('my own')).id}/reblog`)
  await world.idle()
  await awake.hears(({ event, payload }) => event === 'update' && JSON.parse(payload!).id === boosted.body.id)
  const last = await ada.says('mine')
  await resting.hears(({ event, payload }) => event === 'update' && JSON.parse(payload!).id === last.id)
  const idsOn = ({ frames }: typeof resting) => frames.flatMap(({ event, payload }) => (event === 'update' ? [JSON.parse(payload!)] : []))
  expect(idsOn(awake).map(({ id }) => id)).toEqual([away.id, boosted.body.id])
  expect(idsOn(resting).map(({ account }) => account.id)).toEqual([ada.id, ada.id])
  for (const listener of [resting, awake]) await listener.close()
})

const setFloor = (person: Person, floorId: string) =>
  query(world, 'update statuses.home set floor_id = $2 where account_id = $1', [person.id, floorId])

test('posts that are handed out together are placed only in homes that are stored as far back as each', async () => {
  const { dina, emil, fay, gus } = await world.cast('dina', 'emil', 'fay', 'gus')
  const readers = [dina, emil, fay]
  for (const reader of readers) await reader.follows(gus)
  await world.idle()
  const client = new pg.Client({ connectionString: world.databaseUrl, options: '-c search_path=statuses' })
  await client.connect()
  const hold = await pauseRelay(client)
  const [first, second] = [await gus.says('first'), await gus.says('second')]
  await setFloor(dina, second.id)
  await setFloor(emil, String(2n ** 62n))
  await hold.resume()
  await client.end()
  const third = await gus.says('third, which wakes the relay')
  await world.idle()
  expect(await Promise.all(readers.map(storedOf))).toEqual([[third.id, second.id], [], [third.id, second.id, first.id]])
})
