import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Harness, openHarness, refusal } from './harness.ts'

// No event after a stream opens is missing on it; if one may be, the stream is closed.

let harness: Harness
beforeEach(async () => {
  harness = await openHarness()
  await harness.tokens.issue('mara', '1')
  await harness.views.keepList('7', '1')
})
afterEach(() => harness.close())

/** Makes presence wait until it is released. */
const holdPresence = () => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const { arrive } = harness.presence
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  harness.presence.arrive = async (accountId) => {
    ask()
    await held
    return arrive(accountId)
  }
  return { letGo, asked }
}

test.each(['user', 'user:notification', 'direct', 'list&list=7'])(
  'the handshake of a WebSocket on %s waits for presence',
  async (stream) => {
    const { letGo, asked } = holdPresence()
    const opening = harness.listen(`?access_token=mara&stream=${stream}`)
    let isOpen = false
    void opening.then(() => {
      isOpen = true
    })
    await asked
    expect([isOpen, await harness.connected()]).toEqual([false, []])
    letGo()
    await opening
    expect(await harness.connected()).toEqual(['1'])
  },
)

test('the first byte of an event stream waits for presence', async () => {
  const { letGo, asked } = holdPresence()
  const opening = harness.get('/api/v1/streaming/user?access_token=mara')
  let isOpen = false
  void opening.then(() => {
    isOpen = true
  })
  await asked
  expect([isOpen, await harness.connected()]).toEqual([false, []])
  letGo()
  expect(await (await opening).next()).toBe(':)\n')
  expect(await harness.connected()).toEqual(['1'])
})

test('a ping is answered once presence knows the streams subscribed to before it', async () => {
  const mara = await harness.listen('?access_token=mara')
  const { letGo, asked } = holdPresence()
  mara.say({ type: 'subscribe', stream: 'user' })
  let isHeard = false
  const heard = mara.heard().then(() => {
    isHeard = true
  })
  await asked
  expect(isHeard).toBe(false)
  letGo()
  await heard
  expect(await harness.connected()).toEqual(['1'])
  harness.publish('deletion', { statusId: '5', recipientIds: ['1'] })
  expect((await mara.event()).payload).toBe('5')
})

test('a socket is not read while too many of its commands wait, and all of them are run', async () => {
  const mara = await harness.listen('?access_token=mara')
  const { letGo, asked } = holdPresence()
  mara.say({ type: 'subscribe', stream: 'user' })
  await asked
  for (let count = 0; count < 150; count++) {
    mara.say({ type: 'subscribe', stream: 'public' })
    mara.say({ type: 'unsubscribe', stream: 'public' })
  }
  // More than the socket buffers hold: unread commands still wait at the sender after other requests were answered many times.
  const filler = JSON.stringify({ type: 'nothing', filler: 'x'.repeat(10_000) })
  for (let count = 0; count < 2000; count++) mara.say(filler)
  for (let count = 0; count < 200; count++) await (await harness.get('/api/v1/streaming/health')).rest()
  expect(mara.socket.bufferedAmount).toBeGreaterThan(1_000_000)
  mara.say({ type: 'subscribe', stream: 'direct' })
  const heard = mara.heard()
  letGo()
  await heard
  harness.publish('status', { statusId: '404', authorId: '2', isListed: true })
  harness.publish('deletion', { statusId: '5', isListed: true, recipientIds: ['1'] })
  expect((await mara.event()).stream).toEqual(['user'])
})

test('streams of a person who hangs up meanwhile leave no trace', async () => {
  const { letGo, asked } = holdPresence()
  const leaving = new AbortController()
  const opening = fetch(`http://127.0.0.1:${harness.port}/api/v1/streaming/user?access_token=mara`, { signal: leaving.signal })
  await asked
  leaving.abort()
  await expect(opening).rejects.toThrow()
  letGo()
  await expect.poll(() => harness.connected()).toEqual([])
  harness.presence.arrive = async () => ({ at: 0, coveredSince: 0 })
  const page = await harness.get('/api/v1/streaming/user?access_token=mara')
  expect(page.status).toBe(200)
})

test('while presence is unavailable streams of a person’s own are refused, and those of everyone are not', async () => {
  harness.presence.arrive = async () => undefined
  const page = await harness.get('/api/v1/streaming/user?access_token=mara')
  expect([page.status, await page.rest()]).toEqual([503, '{"error":"Service Unavailable"}'])
  expect((await refusal(harness.port, '?access_token=mara&stream=user')).status).toBe(503)
  expect((await harness.get('/api/v1/streaming/public?access_token=mara')).status).toBe(200)
  const mara = await harness.listen('?access_token=mara&stream=public')
  mara.say({ type: 'subscribe', stream: 'user' })
  expect(await mara.closed).toEqual({ code: 1012, reason: 'events may be missing' })
})

test('after a gap every stream is ended, and those opened since stay', async () => {
  const socket = await harness.listen('?access_token=mara&stream=public')
  const page = await harness.get('/api/v1/streaming/user?access_token=mara')
  harness.live.reportGap()
  const later = await harness.listen('?access_token=mara&stream=user')
  expect(await socket.closed).toEqual({ code: 1012, reason: 'events may be missing' })
  expect(await page.rest()).toBe(':)\n')
  harness.publish('deletion', { statusId: '5', recipientIds: ['1'] })
  expect((await later.event()).payload).toBe('5')
  expect(await harness.connected()).toEqual(['1'])
})

test('after a gap streams are ended one after the other over the time that is set', async () => {
  const slow = await openHarness({ incompleteMilliseconds: 600 })
  await slow.tokens.issue('mara', '1')
  const sockets = []
  for (let count = 0; count < 3; count++) sockets.push(await slow.listen('?access_token=mara&stream=user'))
  const begun = performance.now()
  slow.live.reportGap()
  const times = await Promise.all(sockets.map(({ closed }) => closed.then(() => performance.now() - begun)))
  // Never before their times: 0, 200 and 400 milliseconds.
  for (const [index, time] of times.entries()) expect(time).toBeGreaterThan(index * 200 - 20)
  await slow.close()
})
