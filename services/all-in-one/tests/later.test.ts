import { type Person, World } from '@rookery/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'

let world: World
let mara: Person

beforeAll(async () => {
  world = await World.open()
  mara = (await world.cast('mara')).mara
})
afterAll(() => world.close())

test('what is meant for later is never published at once', async () => {
  const later = new Date(Date.now() + 3_600_000).toISOString()
  expect(await mara.post('/api/v1/statuses', { status: 'later', scheduled_at: later })).toMatchObject({
    status: 422,
    body: { error: 'Validation failed: Scheduled at is not offered by this server' },
  })
  expect(await mara.post('/api/v1/statuses', { status: 'never', scheduled_at: 'teatime' })).toMatchObject({
    status: 422,
    body: { error: 'Invalid date supplied' },
  })
  expect(await mara.home()).toEqual([])
})

test('a time that has passed means now', async () => {
  const said = await mara.says('now', { scheduled_at: '2020-01-01T00:00:00Z' })
  expect(await mara.home()).toMatchObject([{ id: said.id }])
})
