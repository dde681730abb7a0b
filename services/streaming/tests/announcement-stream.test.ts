import { Announcement } from '@rookery/contracts/statuses'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BASE_URL, type Harness, openHarness } from './harness.ts'

let harness: Harness
beforeEach(async () => {
  harness = await openHarness()
  await harness.tokens.issue('mara', '1', ['read:statuses'])
  await harness.tokens.issue('joel', '2')
})
afterEach(() => harness.close())

const BLOB = {
  shortcode: 'blob',
  url: 'https://m.example/blob.gif',
  staticUrl: 'https://m.example/blob.png',
  visibleInPicker: true,
  category: '',
}

const ANNOUNCEMENT = Announcement.fromPartial({
  id: '7',
  content: '<p>Tea at five</p>',
  startsAtMilliseconds: 1_700_000_000_000,
  allDay: true,
  publishedAtMilliseconds: 1_700_000_000_000,
  updatedAtMilliseconds: 1_700_000_000_000,
  mentions: [{ accountId: '1', username: 'mara' }],
  statuses: [{ id: '12', username: 'joel' }],
  tags: [{ name: 'tea' }],
  reactions: [{ name: 'blob', count: 3, emoji: BLOB }],
})

test('announcements, their reactions and their ends reach every user stream once for each, and no other stream', async () => {
  const [mara, joel, again] = await Promise.all(
    ['mara', 'joel', 'joel'].map((token) => harness.listen(`?access_token=${token}&stream=user`)),
  )
  const others = ['user:notification', 'direct', 'public', 'user:markers']
  const [first, ...more] = others
  const other = await harness.listen(`?access_token=joel&stream=${first}`)
  for (const stream of more) other.say({ type: 'subscribe', stream })
  await other.heard()
  harness.publish('announcement', { announcement: ANNOUNCEMENT }, 'event-1')
  harness.publish('announcement', { announcement: ANNOUNCEMENT }, 'event-1')
  harness.publish('announcementReaction', { announcementId: '7', reaction: { name: 'blob', count: 4, isOwn: false, emoji: BLOB } })
  harness.publish('announcementReaction', { announcementId: '7', reaction: { name: '🎉', count: 0, isOwn: false } })
  harness.publish('announcementDeletion', { announcementId: '7' })
  const files = { url: BLOB.url, static_url: BLOB.staticUrl }
  for (const listener of [mara!, joel!, again!]) {
    const announced = await listener.event()
    expect(announced).toMatchObject({ stream: ['user'], event: 'announcement' })
    expect(JSON.parse(announced.payload)).toEqual({
      id: '7',
      content: '<p>Tea at five</p>',
      starts_at: '2023-11-14T22:13:20.000Z',
      ends_at: null,
      all_day: true,
      published_at: '2023-11-14T22:13:20.000Z',
      updated_at: '2023-11-14T22:13:20.000Z',
      mentions: [{ id: '1', username: 'mara', url: `${BASE_URL}/@mara`, acct: 'mara' }],
      statuses: [{ id: '12', url: `${BASE_URL}/@joel/12` }],
      tags: [{ name: 'tea', url: `${BASE_URL}/tags/tea` }],
      emojis: [],
      reactions: [{ name: 'blob', count: 3, me: false, ...files }],
    })
    const reacted = [await listener.event(), await listener.event()]
    expect(reacted.map(({ event, payload }) => [event, JSON.parse(payload)])).toEqual([
      ['announcement.reaction', { name: 'blob', count: 4, ...files, announcement_id: '7' }],
      ['announcement.reaction', { name: '🎉', count: 0, announcement_id: '7' }],
    ])
    expect(await listener.event()).toEqual({ stream: ['user'], event: 'announcement.delete', payload: '7' })
  }
  // These streams got nothing of it before their own event.
  harness.publish('markers', { recipientId: '2', markers: [] })
  expect((await other.event()).event).toBe('marker')
  expect(harness.views.connection.calls).toEqual([])
})

test('who unsubscribes from the user stream hears no announcement', async () => {
  const joel = await harness.listen('?access_token=joel&stream=user')
  joel.say({ type: 'subscribe', stream: 'user:markers' })
  joel.say({ type: 'unsubscribe', stream: 'user' })
  await joel.heard()
  harness.publish('announcementDeletion', { announcementId: '7' })
  harness.publish('markers', { recipientId: '2', markers: [] })
  expect((await joel.event()).event).toBe('marker')
})

test('over an event stream an announcement is one line', async () => {
  const page = await harness.get('/api/v1/streaming/user', { headers: { authorization: 'Bearer mara' } })
  expect(await page.next()).toBe(':)\n')
  harness.publish('announcementDeletion', { announcementId: '7' })
  expect(await page.next()).toBe('event: announcement.delete\ndata: 7\n\n')
  page.leave()
})
