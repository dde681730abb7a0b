import { type Person, World } from '@rookery/test-world'
import { idsOf, query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Posts of authors with more followers than FAN_OUT_MAX_FOLLOWERS are not written to homes: homes, and open streams, show them all the same.

let world: World
let anna: Person
let rosa: Person
let tom: Person
beforeAll(async () => {
  world = await World.open({ settings: { FAN_OUT_MAX_FOLLOWERS: '1' } })
  ;({ anna, rosa, tom } = await world.cast('anna', 'rosa', 'tom'))
  for (const follower of [rosa, tom]) await follower.follows(anna)
  await anna.says('one more than may be written to')
  await world.idle()
  await world.advance(0)
  // What is posted within a second of the job is written still.
  world.clock.advance(2000)
})
afterAll(() => world.close())

const storedOf = async (id: string): Promise<string[]> =>
  (await query(world, 'select account_id from statuses.feed where status_id = $1', [id])).map((row) => row.account_id)
const homeOf = async (person: Person) => idsOf(await person.home())

test('a post is in the homes of followers and written to its author’s alone', async () => {
  const post = await anna.says('hello, all of you')
  await world.idle()
  expect(await storedOf(post.id)).toEqual([anna.id])
  for (const follower of [rosa, tom]) expect((await homeOf(follower))[0]).toBe(post.id)
  expect(await homeOf(anna)).toContain(post.id)
})

test('a page costs a fixed number of statements', async () => {
  for (const limit of [1, 20]) {
    const path = `/api/v1/timelines/home?limit=${limit}`
    await rosa.get(path)
    await rosa.get(path)
    expect(world.lastRequest).toEqual({ hops: 2, statements: 5 })
  }
})

test('streams of followers get the post, its edit and its deletion', async () => {
  const listener = await rosa.listens('user')
  const post = await anna.says('first')
  await world.idle()
  await anna.asks('PUT', `/api/v1/statuses/${post.id}`, { body: { status: 'second' } })
  await world.idle()
  await anna.asks('DELETE', `/api/v1/statuses/${post.id}`)
  await world.idle()
  await listener.hears((frame) => frame.event === 'delete' && frame.payload === post.id)
  expect(listener.frames.flatMap((frame) => frame.event ?? [])).toEqual(['update', 'status.update', 'delete'])
  await listener.close()
  expect(await homeOf(rosa)).not.toContain(post.id)
})

test('a boost by someone else is left out where the post stands nearby', async () => {
  const { max } = await world.cast('max')
  await rosa.follows(max)
  const post = await anna.says('worth a boost')
  const boost = await max.reacts('reblog', post)
  await world.idle()
  expect(await homeOf(rosa)).toContain(post.id)
  expect(await homeOf(rosa)).not.toContain(boost.id)
})

test('a block takes the posts out of the home and of open streams, and its end brings them back', async () => {
  const post = await anna.says('before the block')
  await world.idle()
  const listener = await tom.listens('user')
  await tom.does('mute', anna)
  await world.idle()
  await listener.hears((frame) => frame.event === 'delete' && frame.payload === post.id)
  await listener.close()
  expect(await homeOf(tom)).not.toContain(post.id)
  await tom.does('unmute', anna)
  expect(await homeOf(tom)).toContain(post.id)
})
