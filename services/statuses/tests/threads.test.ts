import { type Person, World } from '@rookery/test-world'
import { idsOf, query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, expect, test } from 'vitest'

let world: World
let mara: Person
let joel: Person
let nora: Person
beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel, nora } = await world.cast('mara', 'joel', 'nora'))
})
afterAll(() => world.close())

const answers = (person: Person, parent: { id: string }, more: object = {}) => person.says('re', { in_reply_to_id: parent.id, ...more })
const contextOf = async (reader: Pick<Person | World, 'get'>, { id }: { id: string }) => {
  const { body } = await reader.get(`/api/v1/statuses/${id}/context`)
  return { ancestors: idsOf(body.ancestors), descendants: idsOf(body.descendants) }
}

test('ancestors come root first, descendants depth first, the author’s own replies ahead of others', async () => {
  const root = await mara.says('root')
  const other = await answers(joel, root)
  const own = await answers(mara, root)
  const below = await answers(nora, own)
  const ownBelow = await answers(mara, own)
  const last = await answers(nora, other)
  expect(await contextOf(world, root)).toEqual({ ancestors: [], descendants: idsOf([own, ownBelow, below, other, last]) })
  expect(await contextOf(world, ownBelow)).toEqual({ ancestors: idsOf([root, own]), descendants: [] })
  expect(await contextOf(world, other)).toEqual({ ancestors: [root.id], descendants: [last.id] })
})

test('leaves out what the reader may not see, and whom they block or mute', async () => {
  const root = await mara.says('root')
  const hidden = await answers(joel, root, { visibility: 'private' })
  const behind = await answers(joel, hidden)
  const direct = await joel.says('@nora psst', { in_reply_to_id: root.id, visibility: 'direct' })
  const open = await answers(joel, root)
  expect((await contextOf(world, root)).descendants).toEqual(idsOf([behind, open]))
  expect((await contextOf(nora, root)).descendants).toEqual(idsOf([behind, direct, open]))
  expect((await contextOf(joel, root)).descendants).toEqual(idsOf([hidden, behind, direct, open]))
  expect((await contextOf(world, behind)).ancestors).toEqual([root.id])
  await nora.does('mute', joel)
  expect((await contextOf(nora, root)).descendants).toEqual([])
  await nora.does('unmute', joel)
  await joel.does('block', nora)
  expect((await contextOf(nora, root)).descendants).toEqual([])
  await joel.does('unblock', nora)
})

test('a chain 300 deep is whole for members and short for anonymous readers', async () => {
  const chain = [await mara.says('0')]
  for (let depth = 1; depth <= 300; depth++) chain.push(await answers(mara, chain.at(-1)!))
  const [first, middle, last] = [chain[0]!, chain[150]!, chain[300]!]
  expect(await contextOf(joel, first)).toEqual({ ancestors: [], descendants: idsOf(chain.slice(1)) })
  expect(await contextOf(joel, middle)).toEqual({ ancestors: idsOf(chain.slice(0, 150)), descendants: idsOf(chain.slice(151)) })
  expect(await contextOf(world, last)).toEqual({ ancestors: idsOf(chain.slice(260, 300)), descendants: [] })
  expect(await contextOf(world, first)).toEqual({ ancestors: [], descendants: idsOf(chain.slice(1, 21)) })
}, 60_000)

test('anonymous readers get 60 replies, members all', async () => {
  const root = await mara.says('root')
  const replies = []
  for (let index = 0; index < 65; index++) replies.push(await answers(joel, root))
  expect((await contextOf(world, root)).descendants).toEqual(idsOf(replies.slice(0, 60)))
  expect((await contextOf(nora, root)).descendants).toEqual(idsOf(replies))
})

test('costs the same regardless of the length', async () => {
  const root = await mara.says('root')
  const cost = async () => {
    await contextOf(nora, root)
    await contextOf(nora, root)
    return world.lastRequest
  }
  await answers(joel, root)
  const short = await cost()
  for (let index = 0; index < 10; index++) await answers(joel, root)
  expect(await cost()).toEqual(short)
  expect(short.hops).toBe(2)
  expect(await query(world, 'select count(*)::int from statuses.status where in_reply_to_id = $1', [root.id])).toEqual([{ count: 11 }])
})
