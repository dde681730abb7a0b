import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStage, refusal, type Stage } from './stage.ts'

// Nothing that happens after a stream is open is missing on it; where something may be, the stream is ended.

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
  stage.tokens.issue('mara', '1')
  stage.views.keepList('7', '1')
})
afterEach(() => stage.close())

/** Has presence wait until it is let go. */
const holdPresence = () => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const { arrive } = stage.presence
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  stage.presence.arrive = async (accountId) => {
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
    const opening = stage.listen(`?access_token=mara&stream=${stream}`)
    let isOpen = false
    void opening.then(() => {
      isOpen = true
    })
    await asked
    expect([isOpen, await stage.connected()]).toEqual([false, []])
    letGo()
    await opening
    expect(await stage.connected()).toEqual(['1'])
  },
)

test('the first byte of an event stream waits for presence', async () => {
  const { letGo, asked } = holdPresence()
  const opening = stage.get('/api/v1/streaming/user?access_token=mara')
  let isOpen = false
  void opening.then(() => {
    isOpen = true
  })
  await asked
  expect([isOpen, await stage.connected()]).toEqual([false, []])
  letGo()
  expect(await (await opening).next()).toBe(':)\n')
  expect(await stage.connected()).toEqual(['1'])
})

test('a ping is answered once presence knows the streams subscribed to before it', async () => {
  const mara = await stage.listen('?access_token=mara')
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
  expect(await stage.connected()).toEqual(['1'])
  stage.publish('deletion', { statusId: '5', recipientIds: ['1'] })
  expect((await mara.event()).payload).toBe('5')
})

test('a socket is not read while too many of its commands wait, and all of them are run', async () => {
  const mara = await stage.listen('?access_token=mara')
  const { letGo, asked } = holdPresence()
  mara.say({ type: 'subscribe', stream: 'user' })
  await asked
  for (let count = 0; count < 150; count++) {
    mara.say({ type: 'subscribe', stream: 'public' })
    mara.say({ type: 'unsubscribe', stream: 'public' })
  }
  // More than a socket's buffers hold: what is not read still waits at the sender when others were answered many times.
  const filler = JSON.stringify({ type: 'nothing', filler: 'x'.repeat(10_000) })
  for (let count = 0; count < 2000; count++) mara.say(filler)
  for (let count = 0; count < 200; count++) await (await stage.get('/api/v1/streaming/health')).rest()
  expect(mara.socket.bufferedAmount).toBeGreaterThan(1_000_000)
  mara.say({ type: 'subscribe', stream: 'direct' })
  const heard = mara.heard()
  letGo()
  await heard
  stage.publish('status', { statusId: '404', authorId: '2', isListed: true })
  stage.publish('deletion', { statusId: '5', isListed: true, recipientIds: ['1'] })
  expect((await mara.event()).stream).toEqual(['user'])
})

test('streams of a person who hangs up meanwhile leave no trace', async () => {
  const { letGo, asked } = holdPresence()
  const leaving = new AbortController()
  const opening = fetch(`http://127.0.0.1:${stage.port}/api/v1/streaming/user?access_token=mara`, { signal: leaving.signal })
  await asked
  leaving.abort()
  await expect(opening).rejects.toThrow()
  letGo()
  await expect.poll(() => stage.connected()).toEqual([])
  stage.presence.arrive = async () => true
  const page = await stage.get('/api/v1/streaming/user?access_token=mara')
  expect(page.status).toBe(200)
})

test('while presence is unavailable streams of a person’s own are refused, and those of everybody are not', async () => {
  stage.presence.arrive = async () => false
  const page = await stage.get('/api/v1/streaming/user?access_token=mara')
  expect([page.status, await page.rest()]).toEqual([503, '{"error":"Service Unavailable"}'])
  expect((await refusal(stage.port, '?access_token=mara&stream=user')).status).toBe(503)
  expect((await stage.get('/api/v1/streaming/public?access_token=mara')).status).toBe(200)
  const mara = await stage.listen('?access_token=mara&stream=public')
  mara.say({ type: 'subscribe', stream: 'user' })
  expect(await mara.closed).toEqual({ code: 1012, reason: 'events may be missing' })
})

test('after a gap every stream is ended, and those opened since stay', async () => {
  const socket = await stage.listen('?access_token=mara&stream=public')
  const page = await stage.get('/api/v1/streaming/user?access_token=mara')
  stage.live.reportGap()
  const later = await stage.listen('?access_token=mara&stream=user')
  expect(await socket.closed).toEqual({ code: 1012, reason: 'events may be missing' })
  expect(await page.rest()).toMatch(/^:\)\nretry: \d+\n\n$/)
  stage.publish('deletion', { statusId: '5', recipientIds: ['1'] })
  expect((await later.event()).payload).toBe('5')
  expect(await stage.connected()).toEqual(['1'])
})

test('after a gap streams are ended one after the other over the time that is set', async () => {
  const slow = await openStage({ incompleteMilliseconds: 600 })
  slow.tokens.issue('mara', '1')
  const sockets = []
  for (let count = 0; count < 3; count++) sockets.push(await slow.listen('?access_token=mara&stream=user'))
  const begun = performance.now()
  slow.live.reportGap()
  const times = await Promise.all(sockets.map(({ closed }) => closed.then(() => performance.now() - begun)))
  // Never sooner than their time: 0, 200 and 400 milliseconds.
  for (const [index, time] of times.entries()) expect(time).toBeGreaterThan(index * 200 - 20)
  await slow.close()
})
