import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Harness, openHarness } from './harness.ts'

// A resumed stream gets missed events first, in order, then live ones; each event once.

let harness: Harness
beforeEach(async () => {
  harness = await openHarness({ graceMilliseconds: 3_600_000 })
  await harness.tokens.issue('mara', '1')
  await harness.tokens.issue('joel', '3')
  await harness.tokens.issue('no-notifications', '1', ['read:statuses'])
  await harness.views.keepList('7', '1')
  for (const id of ['500', '501', '502']) await harness.views.say({ id, authorId: '2' })
})
afterEach(() => harness.close())

const deleteFor = (statusId: string, to: { recipientIds?: string[]; isListed?: boolean; tags?: string[]; listIds?: string[] }) =>
  harness.publish('deletion', { statusId, ...to })

/** The id of the last event of a stream of mara's that was disconnected after it. */
const cutAfter = async (query: string, act: () => void): Promise<string> => {
  const socket = await harness.listen(`?access_token=mara&stream=${query}`)
  act()
  const { id } = await socket.identified()
  socket.socket.terminate()
  await socket.closed
  return id
}
const resumed = (query: string, id: string) => harness.listen(`?access_token=mara&stream=${query}&since=${id}`)
const payloads = async (listener: { identified(): Promise<{ payload: string }> }, count: number) => {
  const all: string[] = []
  for (let index = 0; index < count; index++) all.push((await listener.identified()).payload)
  return all
}

describe.each([
  ['user', { recipientIds: ['1'] }],
  ['list&list=7', { listIds: ['7'] }],
  ['public', { isListed: true }],
  ['public:local', { isListed: true }],
  ['hashtag&tag=Tea', { tags: ['tea'] }],
])('%s', (query, to) => {
  test('goes on where it was: what was missed, then what happens, each once and in order', async () => {
    const id = await cutAfter(query, () => deleteFor('1', to))
    for (const missed of ['2', '3', '4']) deleteFor(missed, to)
    const socket = await resumed(query, id)
    deleteFor('5', to)
    const events = [await socket.identified(), await socket.identified(), await socket.identified(), await socket.identified()]
    expect(events.map(({ payload }) => payload)).toEqual(['2', '3', '4', '5'])
    expect(new Set(events.map((event) => event.id)).size).toBe(4)
    // Each id can be resumed from.
    const again = await resumed(query, events[1]!.id)
    expect(await payloads(again, 2)).toEqual(['4', '5'])
  })

  test('by subscribe, from the id that is given there', async () => {
    const id = await cutAfter(query, () => deleteFor('1', to))
    deleteFor('2', to)
    const socket = await harness.listen('?access_token=mara')
    socket.say({ type: 'subscribe', ...Object.fromEntries(new URLSearchParams(`stream=${query}`)), since: id })
    expect(await payloads(socket, 1)).toEqual(['2'])
    deleteFor('3', to)
    expect(await payloads(socket, 1)).toEqual(['3'])
  })
})

test('notifications, conversations and events without a payload are resumed, as far as the token covers them', async () => {
  await harness.views.converse({ id: '9', ownerId: '1', otherId: '2', lastStatusId: '500', isUnread: true })
  const id = await cutAfter('user', () => deleteFor('1', { recipientIds: ['1'] }))
  harness.publish('notification', { id: '70', recipientId: '1', accountId: '2', type: 'follow' })
  harness.publish('filtersChanged', { accountId: '1' })
  harness.publish('notificationsMerged', { accountId: '1' })
  harness.publish('conversation', { recipientId: '1', conversationId: '9' })
  harness.publish('announcementDeletion', { announcementId: '7' })
  const kinds = async (query: string, count: number) => {
    const socket = await harness.listen(query)
    const all: string[] = []
    for (let index = 0; index < count; index++) all.push((await socket.identified()).event)
    return all
  }
  const everything = ['notification', 'filters_changed', 'notifications_merged', 'announcement.delete']
  expect(await kinds(`?access_token=mara&stream=user&since=${id}`, 4)).toEqual(everything)
  expect(await kinds(`?access_token=mara&stream=user:notification&since=${id}`, 2)).toEqual(['notification', 'notifications_merged'])
  expect(await kinds(`?access_token=mara&stream=direct&since=${id}`, 1)).toEqual(['conversation'])
  expect(await kinds(`?access_token=no-notifications&stream=user&since=${id}`, 2)).toEqual(['filters_changed', 'announcement.delete'])
})

test('what was missed is shown as it is now: not what is hidden or gone meanwhile, with today’s flags and filters', async () => {
  const to = { recipientIds: ['1'], authorId: '2' }
  const id = await cutAfter('user', () => deleteFor('1', { recipientIds: ['1'] }))
  for (const statusId of ['500', '501', '502']) harness.publish('status', { statusId, ...to })
  harness.publish('deletion', { statusId: '501', recipientIds: ['1'] })
  await harness.views.forget('501')
  const socket = await resumed('user', id)
  const shown = async () => {
    const { event, payload } = await socket.identified()
    return `${event} ${event === 'delete' ? payload : JSON.parse(payload).id}`
  }
  expect([await shown(), await shown(), await shown()]).toEqual(['update 500', 'update 502', 'delete 501'])
  await harness.views.block('1', '2')
  deleteFor('2', { recipientIds: ['1'] })
  const later = await resumed('user', id)
  expect(await payloads(later, 2)).toEqual(['501', '2'])
})

test('many that come back at once share what they missed: it is read for all of them together', async () => {
  const id = await cutAfter('user', () => deleteFor('1', { recipientIds: ['1'] }))
  for (const statusId of ['500', '501', '502']) harness.publish('status', { statusId, authorId: '2', recipientIds: ['1'] })
  harness.views.connection.calls.length = 0
  const letGo = harness.views.hold('500')
  const sockets = await Promise.all(Array.from({ length: 20 }, () => resumed('user', id)))
  letGo()
  for (const socket of sockets) expect(await payloads(socket, 3)).toHaveLength(3)
  // Two rounds are under way before the others are collected.
  expect(harness.views.connection.calls.filter((call) => call === 'readForViewers').length).toBeLessThanOrEqual(3 * 3)
})

describe('an event stream', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    harness.get(`/api/v1/streaming${path}`, { headers: { authorization: 'Bearer mara', ...headers } })
  const STANDARD = { accept: 'text/event-stream' }
  const idIn = (lines: string) => /^id: (.+)$/m.exec(lines)?.[1] ?? ''

  test('says ids, and goes on after Last-Event-ID or the parameter', async () => {
    const page = await get('/user', STANDARD)
    let start = ''
    while (!start.endsWith('\n\n')) start += await page.identified()
    deleteFor('1', { recipientIds: ['1'] })
    const lines = await page.identified()
    expect(lines).toMatch(/^id: [0-9a-f]{8}-\d+-\d+\nevent: delete\ndata: 1\n\n$/)
    page.leave()
    deleteFor('2', { recipientIds: ['1'] })
    for (const again of [await get('/user', { 'last-event-id': idIn(lines) }), await get(`/user?last_event_id=${idIn(lines)}`)]) {
      let body = ''
      while (!body.includes('data: 2')) body += await again.next()
      expect(body).toBe(':)\nevent: delete\ndata: 2\n\n')
      again.leave()
    }
  })

  test('has events of two lines for a program that shows no sign of reading ids: some read no others', async () => {
    const page = await get('/user', { accept: '*/*' })
    expect(await page.identified()).toBe(':)\n')
    deleteFor('1', { recipientIds: ['1'] })
    expect(await page.identified()).toBe('event: delete\ndata: 1\n\n')
    page.leave()
  })

  test('that is read by the standard has an id from the start and with each heartbeat, so that one without events can be resumed', async () => {
    const page = await get('/user', STANDARD)
    let start = ''
    while (!start.endsWith('\n\n')) start += await page.identified()
    expect(start).toMatch(/^:\)\nid: [0-9a-f]{8}-\d+-\d+\n\n$/)
    page.leave()
    deleteFor('1', { recipientIds: ['1'] })
    const again = await get('/user', { ...STANDARD, 'last-event-id': idIn(start) })
    let body = ''
    while (!body.includes('data: 1')) body += await again.identified()
    deleteFor('2', { isListed: true })
    harness.after(15)
    const beat = await again.identified()
    expect(beat).toMatch(/^:thump\nid: .+\n\n$/)
    again.leave()
    deleteFor('3', { recipientIds: ['1'] })
    const last = await get('/user', { 'last-event-id': idIn(beat) })
    let rest = ''
    while (!rest.includes('\n\n')) rest += await last.next()
    expect(rest).toBe(':)\nevent: delete\ndata: 3\n\n')
    last.leave()
  })

  test.each(['', 'x', '0', 'null', '%00', `${'9'.repeat(5000)}`, 'aaaaaaaa-1-1', '-1'])(
    'after the position %j, which was not given out, begins with one resync and goes on',
    async (id) => {
      const page = await get(`/user?last_event_id=${encodeURIComponent(id)}`)
      expect(page.status).toBe(200)
      let body = ''
      while (!body.includes('\n\n')) body += await page.identified()
      const [, payload] = /\nevent: resync\ndata: (.+)\n\n$/.exec(body) ?? []
      expect(JSON.parse(payload!)).toMatchObject({ reason: 'unknown' })
      deleteFor('1', { recipientIds: ['1'] })
      expect(await page.next()).toBe('event: delete\ndata: 1\n\n')
      page.leave()
      // A stream can be resumed from the id of a resync.
      const again = await get('/user', { 'last-event-id': idIn(body) })
      let rest = ''
      while (!rest.includes('\n\n')) rest += await again.next()
      expect(rest).toBe(':)\nevent: delete\ndata: 1\n\n')
      again.leave()
    },
  )
})

test.each([null, undefined])('a subscribe with %j as since opens as ever', async (since) => {
  deleteFor('1', { recipientIds: ['1'] })
  const socket = await harness.listen('?access_token=mara')
  socket.say({ type: 'subscribe', stream: 'user', since })
  await socket.heard()
  deleteFor('2', { recipientIds: ['1'] })
  expect((await socket.event()).payload).toBe('2')
})

test.each([{}, true, '', 'x', 12, []])('a subscribe with %j as since gets one resync, and an id to go on from', async (since) => {
  const socket = await harness.listen('?access_token=mara')
  socket.say({ type: 'subscribe', stream: 'user', since })
  const { event, payload, id, stream } = await socket.identified()
  expect({ event, stream, reason: JSON.parse(payload).reason }).toEqual({ event: 'resync', stream: ['user'], reason: 'unknown' })
  deleteFor('2', { recipientIds: ['1'] })
  expect((await socket.event()).payload).toBe('2')
  expect(await payloads(await resumed('user', id), 1)).toEqual(['2'])
})

test('whatever is given as a position, the stream opens and goes on, and what is no position gets one resync', async () => {
  const id = await cutAfter('user', () => deleteFor('1', { recipientIds: ['1'] }))
  const changed = fc
    .tuple(fc.nat(id.length - 1), fc.constantFrom(...'0123456789af-x'))
    .map(([at, by]) => id.slice(0, at) + by + id.slice(at + 1))
  const asHeader = fc.stringMatching(/^[\x21-\x7e]{1,80}$/)
  let count = 1
  const property = fc.asyncProperty(fc.oneof(asHeader, changed, fc.string({ maxLength: 80 })), async (given) => {
    const isHeader = /^[\x21-\x7e]+$/.test(given)
    const path = isHeader ? '/api/v1/streaming/user' : `/api/v1/streaming/user?last_event_id=${encodeURIComponent(given)}`
    const headers = { authorization: 'Bearer mara', ...(isHeader && { 'last-event-id': given }) }
    const page = await harness.get(path, { headers })
    expect(page.status).toBe(200)
    const socket = await harness.listen('?access_token=mara')
    socket.say({ type: 'subscribe', stream: 'user', since: given })
    await socket.heard()
    const last = String(++count)
    deleteFor(last, { recipientIds: ['1'] })
    let body = ''
    while (!body.includes(`data: ${last}\n`)) body += await page.next()
    const events: string[] = []
    while (events.at(-1) !== `delete ${last}`) {
      const { event, payload } = await socket.event()
      events.push(event === 'delete' ? `delete ${payload}` : event)
    }
    if (!/^[0-9a-f]{8}-\d+-\d+$/.test(given)) {
      expect(events).toEqual(['resync', `delete ${last}`])
      expect(body.match(/^event: resync$/gm)).toHaveLength(1)
    }
    page.leave()
    socket.socket.terminate()
  })
  await fc.assert(property, { numRuns: 150 })
})

test('a stream that missed more than a thousand events gets one resync', async () => {
  const id = await cutAfter('user', () => deleteFor('1', { recipientIds: ['1'] }))
  for (let count = 0; count < 1000; count++) deleteFor(`${count + 2}`, { recipientIds: ['1'] })
  const within = await resumed('user', id)
  expect((await payloads(within, 1000)).at(-1)).toBe('1001')
  deleteFor('1002', { recipientIds: ['1'] })
  const beyond = await resumed('user', id)
  const { event, payload } = await beyond.identified()
  expect([event, JSON.parse(payload).reason]).toEqual(['resync', 'expired'])
  deleteFor('1003', { recipientIds: ['1'] })
  expect((await beyond.event()).payload).toBe('1003')
})

test('after a gap every position before it is answered with one resync', async () => {
  const id = await cutAfter('user', () => deleteFor('1', { recipientIds: ['1'] }))
  harness.live.reportGap()
  const socket = await resumed('user', id)
  expect((await socket.identified()).event).toBe('resync')
  deleteFor('2', { recipientIds: ['1'] })
  expect((await socket.event()).payload).toBe('2')
})

test('an open stream of a client that resumes gets one resync after a gap, and stays', async () => {
  const socket = await resumed('user', await cutAfter('user', () => deleteFor('1', { recipientIds: ['1'] })))
  socket.say({ type: 'subscribe', stream: 'public', since: '' })
  expect((await socket.identified()).event).toBe('resync')
  const other = await harness.listen('?access_token=mara&stream=user')
  harness.live.reportGap()
  expect((await other.closed).code).toBe(1012)
  const resyncs = [await socket.identified(), await socket.identified()]
  expect(resyncs.map(({ event, stream }) => [event, stream[0]])).toEqual([
    ['resync', 'user'],
    ['resync', 'public'],
  ])
  deleteFor('2', { recipientIds: ['1'] })
  expect((await socket.event()).payload).toBe('2')
  expect(await payloads(await resumed('user', resyncs[0]!.id), 1)).toEqual(['2'])
})

test.each([
  ['a gap', () => harness.live.reportGap()],
  [
    'an event that cannot be read',
    () => {
      harness.views.connection.isAway = true
      harness.publish('status', { statusId: '500', authorId: '2', recipientIds: ['1'] })
    },
  ],
])('a stream that is to be ended after %s carries nothing more: its client comes back to what it has', async (_what, happen) => {
  await harness.close()
  harness = await openHarness({ graceMilliseconds: 3_600_000, incompleteMilliseconds: 2000 })
  await harness.tokens.issue('mara', '1')
  await harness.views.say({ id: '500', authorId: '2' })
  const [first, second] = [await harness.listen('?access_token=mara&stream=user'), await harness.listen('?access_token=mara&stream=user')]
  deleteFor('1', { recipientIds: ['1'] })
  const { id } = await second.identified()
  happen()
  // The first is closed at once, the second a second later.
  await first.closed
  harness.views.connection.isAway = false
  deleteFor('2', { recipientIds: ['1'] })
  const later = await harness.listen('?access_token=mara&stream=user')
  deleteFor('3', { recipientIds: ['1'] })
  expect((await later.event()).payload).toBe('3')
  const frames: string[] = []
  second.socket.on('message', (data) => frames.push(String(data)))
  await second.closed
  expect(frames).toEqual([])
  const { event } = await (await resumed('user', id)).identified()
  expect(['resync', 'update']).toContain(event)
})

test('a position from before an account was listened for is answered with resync', async () => {
  // Events of the account itself are not published for a stream of everyone's posts.
  const id = await cutAfter('public', () => deleteFor('1', { isListed: true }))
  const cutAt = Date.now()
  await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(cutAt + 1)
  const socket = await resumed('user', id)
  const { event, payload } = await socket.identified()
  expect([event, JSON.parse(payload).reason]).toEqual(['resync', 'expired'])
})

test('live events wait for what was missed, also while it takes long to read', async () => {
  const id = await cutAfter('user', () => deleteFor('1', { recipientIds: ['1'] }))
  harness.publish('status', { statusId: '500', authorId: '2', recipientIds: ['1'] })
  const letGo = harness.views.hold('500')
  const socket = await resumed('user', id)
  for (const live of ['2', '3']) deleteFor(live, { recipientIds: ['1'] })
  letGo()
  expect((await socket.identified()).event).toBe('update')
  expect(await payloads(socket, 2)).toEqual(['2', '3'])
})

test('a resumed stream whose views cannot be read is ended, and can be resumed again', async () => {
  const id = await cutAfter('user', () => deleteFor('1', { recipientIds: ['1'] }))
  harness.publish('status', { statusId: '500', authorId: '2', recipientIds: ['1'] })
  harness.views.connection.isAway = true
  const socket = await resumed('user', id)
  expect(await socket.closed).toEqual({ code: 1012, reason: 'events may be missing' })
  harness.views.connection.isAway = false
  expect((await (await resumed('user', id)).identified()).event).toBe('update')
})

test('a resumed reader that never reads holds a bounded part of what it missed', async () => {
  await harness.views.say({ id: '600', authorId: '2', content: `<p>${'tea '.repeat(20_000)}</p>` })
  const id = await cutAfter('user', () => deleteFor('1', { recipientIds: ['1'] }))
  for (let count = 0; count < 300; count++) harness.publish('status', { statusId: '600', authorId: '2', recipientIds: ['1'] })
  const socket = await resumed('user', id)
  socket.socket.pause()
  // Another stream is not blocked by it.
  const other = await resumed('user', id)
  for (let count = 0; count < 300; count++) expect((await other.identified()).event).toBe('update')
  expect(harness.unsent()).toBeLessThan(512 * 1024)
})
