import { type Person, World } from '@rookery/test-world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { query } from './queries.ts'
import { schedules, waiting } from './scheduling.ts'

// What clients ask for of which this server has none, and mentions that an author did not mean (beyond-the-spec 2.1, 2.5).

let world: World
let mara: Person
let joel: Person
let ines: Person
beforeAll(async () => {
  world = await World.open()
  ;({ mara, joel, ines } = await world.cast('mara', 'joel', 'ines'))
})
afterAll(() => world.close())

test('there are no annual reports, and no one is eligible', async () => {
  expect((await mara.get('/api/v1/annual_reports')).body).toEqual({ annual_reports: [], accounts: [], statuses: [] })
  expect((await mara.get('/api/v1/annual_reports/2025/state')).body).toEqual({ state: 'ineligible' })
  expect((await mara.get('/api/v1/annual_reports/2025')).status).toBe(404)
  for (const act of ['read', 'generate']) expect((await mara.post(`/api/v1/annual_reports/2025/${act}`)).status).toBe(404)
  expect((await mara.get('/api/v1/annual_reports/soon/state')).status).toBe(404)
})

test.each(['', '/2025-01-01'])('there are no terms of service%s', async (date) => {
  expect(await world.get(`/api/v1/instance/terms_of_service${date}`)).toMatchObject({ status: 404, body: { error: 'Record not found' } })
})

test('known servers are found by how they or a part of them begin, ten at most', async () => {
  const teas = Array.from({ length: 12 }, (_, number) => `tea${number}.example`)
  for (const domain of ['birds.example', 'my.birds.example', 'blackbirds.example', ...teas]) {
    await query(world, 'insert into federation.peer (domain) values ($1)', [domain])
  }
  const found = async (q: string) => (await world.get(`/api/v1/peers/search?q=${q}`)).body
  expect(await found('Birds')).toEqual(['birds.example', 'my.birds.example'])
  expect(await found('tea')).toHaveLength(10)
  expect(await found('%25')).toEqual([])
  expect(await found('')).toEqual([])
})

test('a post that mentions others than it allows is refused with their accounts; nothing is posted or scheduled', async () => {
  const status = '@joel and @ines and @mara'
  const refused = await mara.post('/api/v1/statuses', { status, allowed_mentions: [joel.id] })
  const error = 'Post would be sent to unexpected accounts'
  expect(refused).toMatchObject({ status: 422, body: { error, unexpected_accounts: [{ id: ines.id }] } })
  const none = await mara.post('/api/v1/statuses', { status, allowed_mentions: [''] })
  expect(none.body.unexpected_accounts.map(({ id }: Person) => id)).toEqual([joel.id, ines.id])
  await expect(schedules(world, mara, status, { allowed_mentions: [joel.id] })).rejects.toThrow('unexpected')
  expect(await waiting(mara)).toEqual([])
  expect((await mara.says(status, { allowed_mentions: [joel.id, ines.id] })).mentions).toHaveLength(3)
  expect((await mara.get(`/api/v1/accounts/${mara.id}/statuses`)).body).toHaveLength(1)
})
