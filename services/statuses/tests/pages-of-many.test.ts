import { type Person, World } from '@rookery/test-world'
import { moves, names } from '@rookery/test-world/moving'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Pages that many read are kept while they say the same: what changes on them shows at once, to everyone.

let world: World
let mara: Person
let joel: Person
beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel } = await world.cast('mara', 'joel'))
})
afterAll(() => world.close())

const PUBLIC = '/api/v1/timelines/public'
/** A status as each of these reads it on the public timeline; undefined where it is not there. */
const seen = async (id: string) => {
  const pages = await Promise.all([world, joel, mara].map((reader) => reader.get(PUBLIC)))
  return pages.map(({ body }) => body.find((status: { id: string }) => status.id === id))
}

test('what is posted, favourited, edited and deleted between two readings shows', async () => {
  const { id } = await mara.says('tea')
  expect(await seen(id)).toMatchObject(Array(3).fill({ content: '<p>tea</p>', favourites_count: 0 }))
  await joel.post(`/api/v1/statuses/${id}/favourite`)
  expect(await seen(id)).toMatchObject([{ favourites_count: 1 }, { favourites_count: 1, favourited: true }, { favourited: false }])
  await mara.asks('PUT', `/api/v1/statuses/${id}`, { body: { status: 'coffee' } })
  expect(await seen(id)).toMatchObject(Array(3).fill({ content: '<p>coffee</p>' }))
  await mara.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: 'Mara of the hill' } })
  expect(await seen(id)).toMatchObject(Array(3).fill({ account: { display_name: 'Mara of the hill' } }))
  await joel.post(`/api/v1/accounts/${mara.id}/block`)
  expect(await seen(id)).toMatchObject([{ id }, undefined, { id }])
  await joel.post(`/api/v1/accounts/${mara.id}/unblock`)
  await mara.asks('DELETE', `/api/v1/statuses/${id}`)
  expect(await seen(id)).toEqual([undefined, undefined, undefined])
})

test('a poll is over when it ends, whatever was read a moment before', async () => {
  const { id } = await mara.says('tea?', { poll: { options: ['green', 'black'], expires_in: 300 } })
  expect(await seen(id)).toMatchObject(Array(3).fill({ poll: { expired: false } }))
  world.clock.advance(300_001)
  expect(await seen(id)).toMatchObject(Array(3).fill({ poll: { expired: true } }))
})

test('where someone moved is shown as it is now', async () => {
  const { old, next } = await world.cast('old', 'next')
  const { id } = await old.says('I go')
  await names(world, next, old.username)
  await moves(world, old, `@${next.username}`)
  expect(await seen(id)).toMatchObject(Array(3).fill({ account: { moved: { display_name: '' } } }))
  await next.asks('PATCH', '/api/v1/accounts/update_credentials', { body: { display_name: 'Next of all' } })
  expect(await seen(id)).toMatchObject(Array(3).fill({ account: { moved: { display_name: 'Next of all' } } }))
})
