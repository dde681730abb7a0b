import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Harness, openHarness } from './harness.ts'

let harness: Harness
beforeEach(async () => {
  harness = await openHarness()
  await harness.tokens.issue('mara', '1', ['read:statuses'])
  await harness.tokens.issue('joel', '2')
  await harness.tokens.issue('no-statuses', '3', ['read:notifications'])
})
afterEach(() => harness.close())

const markers = (token: string) => harness.listen(`?access_token=${token}&stream=user:markers`)
const HOME = { timeline: 'home', lastReadId: '103194548672408537', version: 2, updatedAtMilliseconds: 1_700_000_000_000 }
const PAYLOAD = '{"home":{"last_read_id":"103194548672408537","version":2,"updated_at":"2023-11-14T22:13:20.000Z"}}'

test('markers reach their owner’s streams of that name, and no other', async () => {
  const [own, other, home] = await Promise.all([markers('mara'), markers('joel'), harness.listen('?access_token=mara&stream=user')])
  expect(await harness.connected()).toEqual(['1', '2'])
  harness.publish('markers', { recipientId: '1', markers: [HOME] })
  expect(await own.event()).toEqual({ stream: ['user:markers'], event: 'marker', payload: PAYLOAD })
  harness.publish('deletion', { statusId: '9', recipientIds: ['1'] })
  expect((await home.event()).event).toBe('delete')
  harness.publish('markers', { recipientId: '2', markers: [{ ...HOME, timeline: 'notifications' }] })
  expect(JSON.parse((await other.event()).payload)).toHaveProperty('notifications')
  expect(harness.views.connection.calls).toEqual([])
})

test('over an event stream they are one line', async () => {
  const page = await harness.get('/api/v1/streaming/user/markers', { headers: { authorization: 'Bearer mara' } })
  expect(await page.next()).toBe(':)\n')
  harness.publish('markers', { recipientId: '1', markers: [HOME] })
  expect(await page.next()).toBe(`event: marker\ndata: ${PAYLOAD}\n\n`)
  page.leave()
})

test('they need the scope for statuses', async () => {
  const page = await harness.get('/api/v1/streaming/user/markers', { headers: { authorization: 'Bearer no-statuses' } })
  expect([page.status, JSON.parse(await page.rest()).error]).toEqual([401, 'Access token does not have the required scopes'])
})
