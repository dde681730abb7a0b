import { World } from '@rookery/test-world'
import { afterAll, beforeAll, expect, test } from 'vitest'

let world: World
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

test('a post reaches the follower’s home and stream', async () => {
  const { mara, joel } = await world.cast('mara', 'joel')
  await joel.follows(mara)
  await world.idle()
  const stream = await joel.listens('user')
  const said = await mara.says('tea is ready @joel')
  const frame = await stream.hears(({ event }) => event === 'update')
  expect(JSON.parse(frame.payload!)).toMatchObject({ id: said.id, favourited: false })
  await world.idle()
  expect((await joel.home()).map(({ id }) => id)).toEqual([said.id])
  const notified = await joel.notifications()
  expect(notified).toMatchObject([{ type: 'mention', status: { id: said.id }, account: { id: mara.id } }])
  await stream.close()
})
