import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Harness, type Listener, openHarness } from './harness.ts'

let harness: Harness
beforeEach(async () => {
  harness = await openHarness()
  for (const [token, id] of [
    ['mara', '1'],
    ['joel', '2'],
    ['ines', '3'],
  ] as const) {
    await harness.tokens.issue(token, id)
  }
})
afterEach(() => harness.close())

const listenAs = (name: string, stream: string) => harness.listen(`?access_token=${name}&stream=${stream}`)
const statusOf = async (listener: Listener) => JSON.parse((await listener.event()).payload)

test('people get the status with their own flags, once asked for all of them', async () => {
  await harness.views.say({ id: '500', authorId: '2' })
  await harness.views.favourite('1', '500')
  const [mara, again, joel, ines] = await Promise.all(['mara', 'mara', 'joel', 'ines'].map((name) => listenAs(name, 'user')))
  harness.publish('status', { statusId: '500', authorId: '2', recipientIds: ['1', '2', '3', '99'] })
  const statuses = await Promise.all([mara!, again!, joel!, ines!].map(statusOf))
  expect(statuses.map(({ favourited, pinned }) => [favourited, pinned])).toEqual([
    [true, undefined],
    [true, undefined],
    [false, false],
    [false, undefined],
  ])
  expect(statuses.map(({ id, account }) => [id, account.username])).toEqual(Array(4).fill(['500', 'person2']))
  expect(harness.views.connection.calls).toEqual(['readForViewers'])
})

test('who may not see a status gets nothing of it', async () => {
  await harness.views.say({ id: '500', authorId: '2' })
  await harness.views.block('3', '2')
  const ines = await listenAs('ines', 'user')
  harness.publish('status', { statusId: '500', authorId: '2', recipientIds: ['1', '3'] })
  harness.publish('deletion', { statusId: '1', recipientIds: ['3'] })
  expect((await ines.event()).event).toBe('delete')
})

test('what filters say is everyone’s own, on streams of their own and on those of all', async () => {
  await harness.views.say({ id: '500', authorId: '2' })
  await harness.views.filter('1', 'drinks')
  const streams = await Promise.all([
    listenAs('mara', 'user'),
    listenAs('joel', 'user'),
    listenAs('mara', 'public'),
    listenAs('joel', 'public'),
  ])
  harness.publish('status', { statusId: '500', authorId: '2', recipientIds: ['1', '2'], isListed: true })
  const statuses = await Promise.all(streams.map(statusOf))
  expect(statuses.map(({ filtered, favourited }) => [filtered[0]?.filter.title, filtered.length, favourited])).toEqual([
    ['drinks', 1, false],
    [undefined, 0, false],
    ['drinks', 1, undefined],
    [undefined, 0, undefined],
  ])
})

test('notifications_merged is sent with a payload that says nothing, to the streams of notifications of their owner', async () => {
  const [mara, notifications, joel] = await Promise.all([
    listenAs('mara', 'user'),
    listenAs('mara', 'user:notification'),
    listenAs('joel', 'user'),
  ])
  harness.publish('notificationsMerged', { accountId: '1' })
  expect(await mara!.next()).toBe('{"stream":["user"],"event":"notifications_merged","payload":"1"}')
  expect(await notifications!.next()).toBe('{"stream":["user:notification"],"event":"notifications_merged","payload":"1"}')
  harness.publish('deletion', { statusId: '1', recipientIds: ['2'] })
  expect((await joel!.event()).event).toBe('delete')
})

test('filters_changed is sent without a payload, to each stream `user` of their owner', async () => {
  const [mara, again, joel, notifications] = await Promise.all([
    listenAs('mara', 'user'),
    listenAs('mara', 'user'),
    listenAs('joel', 'user'),
    listenAs('mara', 'user:notification'),
  ])
  harness.publish('filtersChanged', { accountId: '1' })
  for (const own of [mara, again]) expect(await own!.next()).toBe('{"stream":["user"],"event":"filters_changed"}')
  harness.publish('deletion', { statusId: '1', recipientIds: ['2'] })
  harness.publish('notification', { id: '9', recipientId: '1', accountId: '2', type: 'follow' })
  expect((await joel!.event()).event).toBe('delete')
  expect((await notifications!.event()).event).toBe('notification')
  expect(harness.views.connection.calls).toEqual(['readRelationships', 'readAccounts'])
})

test('public and tag streams carry no flags, and nothing of people who are blocked or muted, asked once', async () => {
  await harness.views.say({ id: '500', authorId: '2' })
  await harness.views.favourite('1', '500')
  await harness.views.block('3', '2')
  const mara = await listenAs('mara', 'public')
  const tag = await harness.listen('?access_token=mara&stream=hashtag&tag=tea')
  const ines = await listenAs('ines', 'public')
  harness.publish('status', { statusId: '500', authorId: '2', isListed: true, tags: ['tea'] })
  harness.publish('deletion', { statusId: '1', isListed: true })
  const status = await statusOf(mara)
  expect([status.id, 'favourited' in status, status.filtered]).toEqual(['500', false, []])
  expect((await statusOf(tag)).id).toBe('500')
  expect((await ines.event()).event).toBe('delete')
  expect(harness.views.connection.calls).toEqual(['readForViewers', 'siftViewers'])
})

test('no one is asked for a status that no one hears of', async () => {
  await listenAs('mara', 'user:notification')
  harness.publish('status', { statusId: '500', authorId: '2', recipientIds: ['1'], isListed: true })
  harness.publish('deletion', { statusId: '500', recipientIds: ['1'], isListed: true })
  expect(harness.views.connection.calls).toEqual([])
})

test('a status that is gone by then is not sent', async () => {
  const mara = await listenAs('mara', 'user')
  mara.say({ type: 'subscribe', stream: 'public' })
  await mara.heard()
  harness.publish('status', { statusId: '404', authorId: '2', recipientIds: ['1'], isListed: true })
  harness.publish('deletion', { statusId: '1', recipientIds: ['1'] })
  expect((await mara.event()).event).toBe('delete')
})

test('events keep their order, though the first one takes longest to prepare', async () => {
  for (const id of ['500', '501']) await harness.views.say({ id, authorId: '2' })
  const letGo = harness.views.hold('500')
  const mara = await listenAs('mara', 'user')
  harness.publish('status', { statusId: '500', authorId: '2', recipientIds: ['1'] })
  harness.publish('status', { statusId: '501', authorId: '2', recipientIds: ['1'] })
  harness.publish('deletion', { statusId: '501', recipientIds: ['1'] })
  await expect.poll(() => harness.views.connection.calls).toEqual(['readForViewers', 'readForViewers'])
  letGo()
  expect([(await statusOf(mara)).id, (await statusOf(mara)).id, (await mara.event()).event]).toEqual(['500', '501', 'delete'])
})

test('a notification goes to both streams of its recipient, with account and status', async () => {
  await harness.views.say({ id: '500', authorId: '1' })
  await harness.views.bookmark('1', '500')
  const user = await listenAs('mara', 'user')
  const own = await listenAs('mara', 'user:notification')
  const joel = await listenAs('joel', 'user')
  harness.publish('notification', {
    id: '90',
    recipientId: '1',
    type: 'favourite',
    createdAtMilliseconds: 1_700_000_000_000,
    accountId: '2',
    statusId: '500',
  })
  harness.publish('deletion', { statusId: '1', recipientIds: ['2'] })
  const frames = [await user.event(), await own.event()]
  expect(frames.map(({ stream, event }) => [stream, event])).toEqual([
    [['user'], 'notification'],
    [['user:notification'], 'notification'],
  ])
  expect(frames[0]!.payload).toBe(frames[1]!.payload)
  const { id, type, created_at, account, status } = JSON.parse(frames[0]!.payload)
  expect({ id, type, created_at, account: account.username, status: [status.id, status.bookmarked] }).toEqual({
    id: '90',
    type: 'favourite',
    created_at: '2023-11-14T22:13:20.000Z',
    account: 'person2',
    status: ['500', true],
  })
  expect((await joel.event()).event).toBe('delete')
  expect(harness.views.connection.calls.toSorted()).toEqual(['readAccounts', 'readRelationships', 'readStatuses'])
})

test('a follow carries no status, and a notification whose status is hidden is not sent', async () => {
  const mara = await listenAs('mara', 'user')
  harness.publish('notification', { id: '90', recipientId: '1', type: 'mention', accountId: '2', statusId: '404' })
  harness.publish('notification', { id: '91', recipientId: '1', type: 'follow', accountId: '2' })
  const { id, account, ...rest } = JSON.parse((await mara.event()).payload)
  expect([id, account.id, 'status' in rest]).toEqual(['91', '2', false])
})

test('a token without notifications hears none on its user stream', async () => {
  await harness.tokens.issue('reader', '1', ['read:statuses'])
  const reader = await listenAs('reader', 'user')
  harness.publish('notification', { id: '91', recipientId: '1', type: 'follow', accountId: '2' })
  harness.publish('deletion', { statusId: '1', recipientIds: ['1'] })
  expect((await reader.event()).event).toBe('delete')
})

test('while statuses is away events wait, in their order', async () => {
  for (const id of ['500', '501']) await harness.views.say({ id, authorId: '2' })
  const mara = await listenAs('mara', 'user')
  harness.views.connection.isAway = true
  harness.publish('status', { statusId: '500', authorId: '2', recipientIds: ['1'] })
  harness.publish('deletion', { statusId: '1', recipientIds: ['1'] })
  await expect.poll(() => harness.views.connection.calls.length, { interval: 1 }).toBe(2)
  harness.views.connection.isAway = false
  harness.publish('status', { statusId: '501', authorId: '2', recipientIds: ['1'] })
  expect([(await statusOf(mara)).id, (await mara.event()).event, (await statusOf(mara)).id]).toEqual(['500', 'delete', '501'])
  expect(harness.lines).toEqual(['statuses does not answer, live events are waiting'])
})

test('when statuses stays away the streams that an event concerns are ended, and others go on', async () => {
  const [mara, page] = [await listenAs('mara', 'user'), await harness.get('/api/v1/streaming/user?access_token=mara')]
  const joel = await listenAs('joel', 'user')
  harness.views.connection.isAway = true
  harness.publish('status', { statusId: '500', authorId: '2', recipientIds: ['1'] })
  expect(await mara.closed).toEqual({ code: 1012, reason: 'events may be missing' })
  expect(await page.rest()).toBe(':)\n')
  harness.publish('deletion', { statusId: '1', recipientIds: ['2'] })
  expect((await joel.event()).event).toBe('delete')
})

test('a message that comes again is delivered once, also to a stream that was opened since', async () => {
  await harness.views.say({ id: '500', authorId: '2' })
  const mara = await listenAs('mara', 'user')
  const publish = () => harness.publish('status', { statusId: '500', authorId: '2', recipientIds: ['1'] }, 'one')
  publish()
  expect((await statusOf(mara)).id).toBe('500')
  const again = await listenAs('mara', 'user')
  publish()
  harness.publish('deletion', { statusId: '500', recipientIds: ['1'] }, 'one')
  harness.publish('deletion', { statusId: '501', recipientIds: ['1'] }, 'one')
  for (const stream of [mara, again])
    expect([await stream.event(), await stream.event()].map(({ payload }) => payload)).toEqual(['500', '501'])
})

test('a live message that cannot be read does no harm', async () => {
  const mara = await listenAs('mara', 'user')
  harness.live.publish(Buffer.from([255, 255, 255]))
  harness.publish('deletion', { statusId: '1', recipientIds: ['1'] })
  expect((await mara.event()).event).toBe('delete')
  expect(harness.lines).toEqual(['decoding a live message failed'])
})

test('a revoked token closes its own streams at once, of either transport', async () => {
  const gone = await listenAs('mara', 'user')
  const page = await harness.get('/api/v1/streaming/public?access_token=mara')
  await harness.tokens.issue('second', '1')
  const stays = await listenAs('second', 'user')
  harness.publish('tokenRevoked', { tokenId: await harness.tokens.idOf('mara') })
  expect(await gone.closed).toEqual({ code: 1008, reason: 'token is no longer valid' })
  expect(await page.rest()).toBe(':)\n')
  harness.publish('deletion', { statusId: '1', recipientIds: ['1'] })
  expect((await stays.event()).event).toBe('delete')
})

test('a closed login closes all streams of the person', async () => {
  await harness.tokens.issue('second', '1')
  const listeners = [await listenAs('mara', 'user'), await listenAs('second', 'public')]
  const joel = await listenAs('joel', 'user')
  harness.publish('loginClosed', { accountId: '1' })
  expect(await Promise.all(listeners.map(async ({ closed }) => (await closed).code))).toEqual([1008, 1008])
  await joel.heard()
})

test('should the live message be lost, the next look at the tokens closes the streams: one call for all', async () => {
  await harness.tokens.issue('app', '4')
  const gone = [
    await listenAs('mara', 'user'),
    await listenAs('mara', 'public'),
    await listenAs('ines', 'user'),
    await listenAs('app', 'user'),
  ]
  const joel = await listenAs('joel', 'user')
  const page = await harness.get('/api/v1/streaming/user?access_token=mara')
  await harness.tokens.revoke('mara')
  await harness.tokens.login('3', 'disabled')
  await harness.tokens.forget('app')
  harness.tokens.connection.calls.length = 0
  harness.after(30)
  expect(await Promise.all(gone.map(async ({ closed }) => (await closed).code))).toEqual([1008, 1008, 1008, 1008])
  expect(await page.rest()).toBe(':)\n')
  expect(harness.tokens.connection.calls).toEqual(['check'])
  harness.publish('deletion', { statusId: '1', recipientIds: ['2'] })
  expect((await joel.event()).event).toBe('delete')
})

test('while auth is away streams stay', async () => {
  const mara = await listenAs('mara', 'user')
  harness.tokens.connection.isAway = true
  harness.after(30)
  await expect.poll(() => harness.lines).toEqual(['checking the tokens of open streams failed'])
  harness.publish('deletion', { statusId: '1', recipientIds: ['1'] })
  expect((await mara.event()).event).toBe('delete')
})

test('presence knows whose own streams are open, and no one else', async () => {
  const user = await listenAs('mara', 'user')
  await listenAs('joel', 'public')
  const ines = await listenAs('ines', 'user:notification')
  ines.say({ type: 'subscribe', stream: 'user' })
  ines.say({ type: 'unsubscribe', stream: 'user:notification' })
  await ines.heard()
  expect(await harness.connected()).toEqual(['1', '3'])
  user.socket.close()
  await user.closed
  ines.say({ type: 'unsubscribe', stream: 'user' })
  await ines.heard()
  expect(await harness.connected()).toEqual([])
})

test('a person stays present while any stream of their own is open', async () => {
  await listenAs('mara', 'user')
  const [again, timeline] = [await listenAs('mara', 'user'), await listenAs('mara', 'public')]
  for (const { socket, closed } of [again, timeline]) {
    socket.close()
    await closed
  }
  expect(await harness.connected()).toEqual(['1'])
})

test('a thousand sockets get one event that was asked for and made once', async () => {
  await harness.views.say({ id: '500', authorId: '2' })
  const names = Array.from({ length: 1000 }, (_, index) => `reader${index}`)
  for (const [index, name] of names.entries()) await harness.tokens.issue(name, String(1000 + index))
  // In groups: clients and server share a process, and all at once would time out in their handshakes.
  const listeners: Listener[] = []
  while (listeners.length < names.length) {
    const some = names.slice(listeners.length, listeners.length + 50)
    listeners.push(...(await Promise.all(some.map((name) => listenAs(name, 'user')))))
  }
  harness.publish('status', { statusId: '500', authorId: '2', recipientIds: names.map((_, index) => String(1000 + index)) })
  const frames = await Promise.all(listeners.map((listener) => listener.next()))
  expect(new Set(frames).size).toBe(1)
  expect(JSON.parse(JSON.parse(frames[0]!).payload).id).toBe('500')
  expect(harness.views.connection.calls).toEqual(['readForViewers'])
})

const upgradeOf = (token: string) =>
  [
    `GET /api/v1/streaming?stream=user&access_token=${token} HTTP/1.1`,
    'Host: rookery.example',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    '\r\n',
  ].join('\r\n')

/** The maximum buffered for one reader in the server, a megabyte, and the last frame. */
const MAX_UNSENT = 1024 * 1024 + 300_000
/** More than the kernels of both ends buffer, which depends on the machine. */
const MAX_SENT = 200_000_000

test.each([
  ['WebSocket', upgradeOf('joel')],
  ['event stream', 'GET /api/v1/streaming/user?access_token=joel HTTP/1.1\r\nHost: rookery.example\r\n\r\n'],
])('a %s that no one reads is cut, and others are served', async (_transport, request) => {
  await harness.views.say({ id: '500', authorId: '3', content: 'tea '.repeat(50_000) })
  await expect.poll(() => harness.unsent()).toBe(0)
  const slow = connect(harness.port, '127.0.0.1')
  slow.write(request)
  await new Promise((resolve) => slow.once('readable', resolve))
  slow.pause()
  const mara = await listenAs('mara', 'user')
  await expect.poll(() => harness.connected()).toEqual(['1', '2'])
  let events = 0
  while ((await harness.connected()).includes('2')) {
    harness.publish('status', { statusId: '500', authorId: '3', recipientIds: ['1', '2'] })
    expect((await mara.event()).event).toBe('update')
    expect(harness.unsent()).toBeLessThan(MAX_UNSENT)
    if (++events > MAX_SENT / 200_000) throw new Error('a reader that reads nothing is served for ever')
  }
  slow.destroy()
})

test('a WebSocket that sends pings and reads no answers is cut', async () => {
  await expect.poll(() => harness.unsent()).toBe(0)
  const flood = connect(harness.port, '127.0.0.1')
  flood.on('error', () => {})
  flood.write(upgradeOf('joel'))
  await new Promise((resolve) => flood.once('readable', resolve))
  flood.pause()
  await expect.poll(() => harness.connected()).toEqual(['2'])
  // Masked with zeros (RFC 6455, 5.2).
  const ping = Buffer.concat([Buffer.from([0x89, 0x80 | 125, 0, 0, 0, 0]), Buffer.alloc(125, 'a')])
  const pings = Buffer.concat(Array.from({ length: 1000 }, () => ping))
  let sent = 0
  // A closed socket accepts no bytes.
  while (!flood.destroyed) {
    await new Promise((resolve) => flood.write(pings, resolve))
    sent += pings.length
    expect(harness.unsent()).toBeLessThan(MAX_UNSENT)
    if (sent > MAX_SENT) throw new Error('a reader that reads nothing is answered for ever')
  }
  await expect.poll(() => harness.connected()).not.toContain('2')
})

test('a module that closes says goodbye, takes no one any more and leaves no interval', async () => {
  const mara = await listenAs('mara', 'user')
  const page = await harness.get('/api/v1/streaming/user?access_token=joel')
  await harness.module.close?.()
  expect(await mara.closed).toEqual({ code: 1001, reason: 'server is going away' })
  // Without a `retry`, which is no event: programs that know events of two lines alone stop there, as Mastodon.py does.
  expect(await page.rest()).toBe(':)\n')
  expect(harness.intervals.size).toBe(0)
  expect((await harness.get('/api/v1/streaming/user?access_token=joel')).status).toBe(503)
  expect(await harness.connected()).toEqual([])
})

test('while it waits for the last to go, no one else is let in', async () => {
  const silent = connect(harness.port, '127.0.0.1')
  silent.write(upgradeOf('joel'))
  await new Promise((resolve) => silent.once('readable', resolve))
  const closed = harness.module.close?.()
  const page = await harness.get('/api/v1/streaming/user?access_token=mara')
  expect([page.status, await page.rest()]).toEqual([503, '{"error":"Service Unavailable"}'])
  silent.destroy()
  await closed
})

test('the module is ready once it listens to the live channel', async () => {
  expect(await harness.module.checks?.['live']?.()).toBe(undefined)
})
