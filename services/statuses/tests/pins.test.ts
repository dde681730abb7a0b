import { type Person, World } from '@rookery/test-world'
import { idsOf } from '@rookery/test-world/queries'
import { uploads } from '@rookery/test-world/scheduling'
import { afterAll, beforeAll, expect, test } from 'vitest'

let world: World
let mara: Person
let joel: Person

beforeAll(async () => {
  world = await World.open()
  const people = await world.cast('mara', 'joel')
  mara = people.mara
  joel = people.joel
})
afterAll(() => world.close())

const pinned = async (reader: Person | World, owner: Person) =>
  idsOf((await reader.get(`/api/v1/accounts/${owner.id}/statuses?pinned=true`)).body)

test('a pinned status is at the top of the profile, and says so to its author alone', async () => {
  const said = await mara.says('read this first')
  expect(said.pinned).toBe(false)
  expect((await mara.reacts('pin', said)).pinned).toBe(true)
  expect((await mara.reacts('pin', said)).pinned).toBe(true)
  expect(await pinned(world, mara)).toEqual([said.id])
  expect('pinned' in (await joel.get(`/api/v1/statuses/${said.id}`)).body).toBe(false)
  expect((await mara.home())[0]).toMatchObject({ id: said.id, pinned: true })
  expect((await mara.reacts('unpin', said)).pinned).toBe(false)
  expect((await mara.reacts('unpin', said)).pinned).toBe(false)
  expect(await pinned(world, mara)).toEqual([])
})

test('what cannot be pinned is refused in the contract’s words', async () => {
  const theirs = await joel.says('mine')
  const boost = await mara.reacts('reblog', theirs)
  const direct = await mara.says('psst', { visibility: 'direct' })
  const refuse = async (status: { id: string }) => (await mara.post(`/api/v1/statuses/${status.id}/pin`)).body.error
  expect(await refuse(theirs)).toBe("Validation failed: Someone else's post cannot be pinned")
  expect(await refuse(boost)).toBe('Validation failed: A boost cannot be pinned')
  expect(await refuse(direct)).toBe('Validation failed: Posts that are only visible to mentioned users cannot be pinned')
  expect(await mara.post('/api/v1/statuses/1/pin')).toMatchObject({ status: 404 })
})

test('no more than five are pinned, also when ten are tried at once', async () => {
  const statuses = await Promise.all(Array.from({ length: 10 }, (_, index) => joel.says(`number ${index}`)))
  const answers = await Promise.all(statuses.map(({ id }) => joel.post(`/api/v1/statuses/${id}/pin`)))
  const refused = answers.filter(({ status }) => status === 422)
  expect(refused).toHaveLength(5)
  expect(refused[0]?.body.error).toBe('Validation failed: You have already pinned the maximum number of posts')
  expect(await pinned(world, joel)).toHaveLength(5)
})

test('a private pin is for followers, and a deleted status is pinned no more', async () => {
  const said = await mara.says('for friends', { visibility: 'private' })
  await mara.reacts('pin', said)
  expect(await pinned(world, mara)).toEqual([])
  expect(await pinned(joel, mara)).toEqual([])
  await joel.follows(mara)
  expect(await pinned(joel, mara)).toEqual([said.id])
  await mara.asks('DELETE', `/api/v1/statuses/${said.id}`)
  expect(await pinned(mara, mara)).toEqual([])
})

test('of the pinned statuses, those are read that the other parameters ask for', async () => {
  const { lena, otto } = await world.cast('lena', 'otto')
  const said = await otto.says('what do you say?')
  const tagged = await lena.says('about #Tea')
  const shown = await lena.says('look', { media_ids: [await uploads(lena)] })
  const reply = await lena.says('@otto this', { in_reply_to_id: said.id })
  for (const status of [tagged, shown, reply]) await lena.reacts('pin', status)
  const read = async (more: string) => idsOf((await world.get(`/api/v1/accounts/${lena.id}/statuses?pinned=true${more}`)).body)
  expect(await read('')).toEqual([reply.id, shown.id, tagged.id])
  expect(await read('&tagged=tea')).toEqual([tagged.id])
  expect(await read('&only_media=true')).toEqual([shown.id])
  expect(await read('&exclude_replies=true&exclude_reblogs=true')).toEqual([shown.id, tagged.id])
  expect(await read('&only_media=true&tagged=tea')).toEqual([])
})
