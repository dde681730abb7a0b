import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Harness, openHarness } from './harness.ts'

let harness: Harness
beforeEach(async () => {
  harness = await openHarness()
  await harness.tokens.issue('mara', '1', ['read:statuses'])
  await harness.tokens.issue('joel', '2')
  await harness.tokens.issue('no-statuses', '3', ['read:notifications'])
  await harness.views.say({ id: '500', authorId: '2' })
  await harness.views.converse({ id: '70', ownerId: '1', otherId: '2', lastStatusId: '500', isUnread: true })
})
afterEach(() => harness.close())

const direct = (token: string) => harness.listen(`?access_token=${token}&stream=direct`)
const lastStatus = async () => {
  const page = await harness.views.page('500', '1')
  return JSON.parse(harness.renderer.status(page, page.items[0]!)!.toString())
}

test('a conversation reaches its owner’s direct streams, with the last status as the owner sees it', async () => {
  const mara = await direct('mara')
  harness.publish('conversation', { recipientId: '1', conversationId: '70' })
  const { payload, ...frame } = await mara.event()
  expect(frame).toEqual({ stream: ['direct'], event: 'conversation' })
  expect(JSON.parse(payload)).toEqual({
    id: '70',
    unread: true,
    accounts: [expect.objectContaining({ id: '2', username: 'person2' })],
    last_status: await lastStatus(),
  })
})

test('over an event stream it is one line', async () => {
  const page = await harness.get('/api/v1/streaming/direct', { headers: { authorization: 'Bearer mara' } })
  expect(await page.next()).toBe(':)\n')
  harness.publish('conversation', { recipientId: '1', conversationId: '70' })
  expect(await page.next()).toMatch(/^event: conversation\ndata: \{"id":"70","unread":true,[^\n]*\}\n\n$/)
  page.leave()
})

test('one without a last status is not sent', async () => {
  await harness.views.converse({ id: '71', ownerId: '1', otherId: '2', lastStatusId: '404', isUnread: false })
  const mara = await direct('mara')
  harness.publish('conversation', { recipientId: '1', conversationId: '71' })
  harness.publish('conversation', { recipientId: '1', conversationId: '70' })
  expect(JSON.parse((await mara.event()).payload).id).toBe('70')
})

test('no one else hears of it, no other stream carries it, and nothing is asked where no one listens', async () => {
  const [joel, home] = await Promise.all([direct('joel'), harness.listen('?access_token=mara&stream=user')])
  harness.publish('conversation', { recipientId: '1', conversationId: '70' })
  harness.publish('deletion', { statusId: '9', recipientIds: ['1'] })
  expect((await home.event()).event).toBe('delete')
  expect(harness.views.connection.calls).toEqual([])
  await harness.views.converse({ id: '72', ownerId: '2', otherId: '1', lastStatusId: '500', isUnread: false })
  harness.publish('conversation', { recipientId: '2', conversationId: '72' })
  expect(JSON.parse((await joel.event()).payload).id).toBe('72')
})

test('what was hidden meanwhile is not sent', async () => {
  const mara = await direct('mara')
  harness.publish('conversation', { recipientId: '1', conversationId: '72' })
  harness.publish('conversation', { recipientId: '1', conversationId: '70' })
  expect(JSON.parse((await mara.event()).payload).id).toBe('70')
})

test('presence counts every subscriber', async () => {
  expect(await harness.connected()).toEqual([])
  const mara = await direct('mara')
  expect(await harness.connected()).toEqual(['1'])
  mara.say({ type: 'unsubscribe', stream: 'direct' })
  await mara.heard()
  expect(await harness.connected()).toEqual([])
})

test('it needs the scope read or read:statuses', async () => {
  const page = await harness.get('/api/v1/streaming/direct?access_token=no-statuses')
  expect([page.status, JSON.parse(await page.rest())]).toEqual([401, { error: 'Access token does not have the required scopes' }])
})
