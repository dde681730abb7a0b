import { ask, type Person, World } from '@rookery/test-world'
import { withColdServer } from '@rookery/test-world/cold-server'
import { idsOf, query } from '@rookery/test-world/queries'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Threads larger than anyone writes, put there as rows.

const MAX = 4096

let world: World
let mara: Person
let joel: Person
beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel } = await world.cast('mara', 'joel'))
})
afterAll(() => world.close())

/** So many replies by joel, each to the one before it or all to the first status. Returns their ids, oldest first. */
const replied = async (root: { id: string }, count: number, { isChain }: { isChain: boolean }): Promise<string[]> => {
  const start = BigInt(root.id)
  const ids = Array.from({ length: count }, (_, index) => String(start + BigInt(index + 1) * 16n))
  const parents = ids.map((_, index) => (isChain && index > 0 ? ids[index - 1]! : root.id))
  await query(
    world,
    `with head as (insert into statuses.status_head (id, author_id, visibility, is_listed, is_reply_to_other, has_media, thread_id)
       select id, $3, 1, false, true, false, $4 from unnest($1::bigint[]) id)
     insert into statuses.status (id, author_id, text, spoiler_text, sensitive, content, created_at, in_reply_to_id, in_reply_to_account_id)
       select id, $3, 're', '', false, '<p>re</p>', now(), parent, $5 from unnest($1::bigint[], $2::bigint[]) as reply (id, parent)`,
    [ids, parents, joel.id, root.id, mara.id],
  )
  await query(world, 'update statuses.status_head set replies = $2 where id = $1', [root.id, isChain ? 1 : count])
  await query(world, 'analyze statuses.status, statuses.status_head')
  return ids
}

/** The thread around a status as a server reads it that has read nothing before, and the statements that took. */
const coldContext = (id: string, token?: string) =>
  withColdServer(world, async ({ origin, statements }) => {
    statements()
    const { status, body } = await ask(origin, 'GET', `/api/v1/statuses/${id}/context`, { token })
    expect(status).toBe(200)
    return { ancestors: idsOf(body.ancestors), descendants: idsOf(body.descendants), statements: statements().length }
  })

test('a chain 5,000 deep is shown to its limits, from either end and from between', async () => {
  const root = await mara.says('root')
  const chain = [root.id, ...(await replied(root, 5000, { isChain: true }))]
  const top = await coldContext(root.id, mara.token)
  expect(top).toEqual({ ancestors: [], descendants: chain.slice(1, MAX + 1), statements: expect.any(Number) })
  const bottom = await coldContext(chain[5000]!, mara.token)
  expect(bottom.ancestors).toEqual(chain.slice(5000 - MAX, 5000))
  const between = await coldContext(chain[2500]!, mara.token)
  expect([between.ancestors, between.descendants]).toEqual([chain.slice(0, 2500), chain.slice(2501)])
  for (const { statements } of [top, bottom, between]) expect(statements).toBeLessThanOrEqual(15)
  expect(await coldContext(chain[2500]!)).toMatchObject({ ancestors: chain.slice(2460, 2500), descendants: chain.slice(2501, 2521) })
}, 60_000)

test('10,000 replies to one status are shown to their limit, and the status counts them all', async () => {
  const root = await mara.says('root')
  const replies = await replied(root, 10_000, { isChain: false })
  const { descendants, statements } = await coldContext(root.id, mara.token)
  expect(descendants).toEqual(replies.slice(0, MAX))
  expect(statements).toBeLessThanOrEqual(15)
  expect(await coldContext(root.id)).toMatchObject({ ancestors: [], descendants: replies.slice(0, 60) })
  expect((await world.get(`/api/v1/statuses/${root.id}`)).body.replies_count).toBe(10_000)
  const startedAt = process.cpuUsage()
  await joel.says('one more', { in_reply_to_id: root.id })
  expect(world.lastRequest).toEqual({ hops: 2, statements: 3 })
  expect((await mara.asks('DELETE', `/api/v1/statuses/${root.id}`)).status).toBe(200)
  await world.idle()
  // Placing and taking back do not read what else was answered one by one.
  expect(process.cpuUsage(startedAt).user / 1e6).toBeLessThan(10)
  expect((await world.get(`/api/v1/statuses/${replies[9_999]}`)).body.content).toBe('<p>re</p>')
}, 60_000)
