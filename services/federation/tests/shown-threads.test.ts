import type { Person, World } from '@rookery/test-world'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openAmongStrangers } from './strangers.ts'

// What a status shows of its thread to servers that fetch it: Mastodon reads the first page of `replies` where that is in the status, and asks for no other.

let among: Awaited<ReturnType<typeof openAmongStrangers>>
let world: World
let mara: Person

beforeAll(async () => {
  among = await openAmongStrangers()
  world = among.world
  mara = await world.person('mara')
})

afterAll(() => among?.close())

const document = async ({ uri }: { uri: string }, more = '') =>
  JSON.parse((await world.asks('GET', new URL(uri).pathname + more, { headers: { accept: 'application/activity+json' } })).text)

it('a status that begins a thread names the replies that everyone may see, as its collection of replies does', async () => {
  const first = await mara.says('one')
  const second = await mara.says('two', { in_reply_to_id: first.id })
  await mara.says('for followers', { in_reply_to_id: first.id, visibility: 'private' })
  const { replies } = await document(first)
  expect(replies).toMatchObject({ type: 'Collection', first: { type: 'CollectionPage', items: [second.uri] } })
  const { '@context': _, ...collection } = await document(first, '/replies')
  expect(replies).toEqual(collection)
})

it('a status without replies leads to where they will be', async () => {
  const alone = await mara.says('alone')
  const { replies } = await document(alone)
  expect(replies.first).toMatchObject({ items: [], next: `${alone.uri}/replies?page=true` })
})
