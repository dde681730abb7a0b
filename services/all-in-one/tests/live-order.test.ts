import { ask, type Listener, type Person, World } from '@rookery/test-world'
import { withColdServer } from '@rookery/test-world/cold-server'
import { afterAll, beforeAll, expect, test } from 'vitest'

let world: World
let author: Person
let stream: Listener
beforeAll(async () => {
  world = await World.open()
  const people = await world.cast('author', 'follower')
  author = people.author
  await people.follower.follows(author)
  await world.idle()
  stream = await people.follower.listens('user')
})
afterAll(async () => {
  await stream?.close()
  await world?.close()
})

const byId = (a: string, b: string) => Number(BigInt(a) - BigInt(b))

/** Expects each status once on the stream, in the order of their ids. */
const expectInOrder = async (statuses: readonly { id: string }[]) => {
  const ids = statuses.map(({ id }) => id).toSorted(byId)
  const pushed = () => {
    const updates = stream.frames.filter(({ event }) => event === 'update').map(({ payload }) => JSON.parse(payload ?? '').id)
    return updates.filter((id) => ids.includes(id))
  }
  await expect.poll(() => pushed().length).toBe(ids.length)
  expect(pushed()).toEqual(ids)
}

/** Every other post has an Idempotency-Key. */
const keyOf = (index: number, name: string): Record<string, string> => (index % 2 ? { 'idempotency-key': `${name} ${index}` } : {})

test('what one person posts and boosts at once is on a stream in the order of timelines', async () => {
  const { other } = await world.cast('other')
  const boosted = await Promise.all(Array.from({ length: 10 }, (_, index) => other.says(`boost me ${index}`)))
  const posts = Array.from({ length: 60 }, (_, index) => author.says(`at once ${index}`, {}, keyOf(index, 'one')))
  await expectInOrder(await Promise.all([...posts, ...boosted.map((status) => author.reacts('reblog', status))]))
})

test('and what they post at once through two processes', () =>
  withColdServer(world, async (second) => {
    const posts = Array.from({ length: 60 }, async (_, index) => {
      const origin = index % 3 ? world.origin : second.origin
      const body = { status: `at once ${index}` }
      const answer = await ask(origin, 'POST', '/api/v1/statuses', { token: author.token, body, headers: keyOf(index, 'two') })
      expect(answer.status).toBe(200)
      return answer.body
    })
    const said = await Promise.all(posts)
    expect(new Set(said.map(({ id }) => id)).size).toBe(60)
    await expectInOrder(said)
  }))
