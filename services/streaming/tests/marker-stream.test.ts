import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
  stage.tokens.issue('mara', '1', ['read:statuses'])
  stage.tokens.issue('joel', '2')
  stage.tokens.issue('no-statuses', '3', ['read:notifications'])
})
afterEach(() => stage.close())

const markers = (token: string) => stage.listen(`?access_token=${token}&stream=user:markers`)
const HOME = { timeline: 'home', lastReadId: '103194548672408537', version: 2, updatedAtMilliseconds: 1_700_000_000_000 }
const PAYLOAD = '{"home":{"last_read_id":"103194548672408537","version":2,"updated_at":"2023-11-14T22:13:20.000Z"}}'

test('markers reach their owner’s streams of that name, and no other', async () => {
  const [own, other, home] = await Promise.all([markers('mara'), markers('joel'), stage.listen('?access_token=mara&stream=user')])
  expect(await stage.connected()).toEqual(['1', '2'])
  stage.publish('markers', { recipientId: '1', markers: [HOME] })
  expect(await own.event()).toEqual({ stream: ['user:markers'], event: 'marker', payload: PAYLOAD })
  stage.publish('deletion', { statusId: '9', recipientIds: ['1'] })
  expect((await home.event()).event).toBe('delete')
  stage.publish('markers', { recipientId: '2', markers: [{ ...HOME, timeline: 'notifications' }] })
  expect(JSON.parse((await other.event()).payload)).toHaveProperty('notifications')
  expect(stage.views.self.calls).toEqual([])
})

test('over an event stream they are one line', async () => {
  const page = await stage.get('/api/v1/streaming/user/markers', { headers: { authorization: 'Bearer mara' } })
  expect(await page.next()).toBe(':)\n')
  stage.publish('markers', { recipientId: '1', markers: [HOME] })
  expect(await page.next()).toBe(`event: marker\ndata: ${PAYLOAD}\n\n`)
  page.leave()
})

test('they need the scope for statuses', async () => {
  const page = await stage.get('/api/v1/streaming/user/markers', { headers: { authorization: 'Bearer no-statuses' } })
  expect([page.status, JSON.parse(await page.rest()).error]).toEqual([401, 'Access token does not have the required scopes'])
})
