import type { Socket } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, openHarness, refusal } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await openHarness()
  await harness.tokens.issue('mara', '1')
  await harness.tokens.issue('joel', '2')
  await harness.views.say({ id: '500', authorId: '2' })
})
afterAll(() => harness.close())

const bytesOf = (stream: string[], event: string, payload: string) =>
  `{"stream":${JSON.stringify(stream)},"event":"${event}","payload":${JSON.stringify(payload)}}`
const plainStatus = async () => {
  const page = await harness.views.page('500')
  const item = page.items[0]!
  return harness.renderer.status(page, { ...item, overlay: { ...item.overlay!, filtered: { results: [] } } })!.toString()
}

test.each([
  ['the Authorization header', '?stream=user', { headers: { authorization: 'Bearer mara' } }],
  ['the query', '/?stream=user&access_token=mara', {}],
  ['the subprotocol', '?stream=user', { protocols: ['mara'] }],
])('a token is taken from %s', async (_source, query, options) => {
  const listener = await harness.listen(query, options)
  expect(listener.socket.protocol).toBe('protocols' in options ? 'mara' : '')
  harness.publish('deletion', { statusId: '7', recipientIds: ['1'] })
  expect(await listener.next()).toBe('{"stream":["user"],"event":"delete","payload":"7"}')
})

test('the header goes before the query, and that before the subprotocol, which is echoed all the same', async () => {
  const byHeader = await harness.listen('?stream=user&access_token=mara', {
    headers: { authorization: 'Bearer joel' },
    protocols: ['mara'],
  })
  const byQuery = await harness.listen('?stream=user&access_token=joel', { protocols: ['mara'] })
  expect([byHeader.socket.protocol, byQuery.socket.protocol]).toEqual(['mara', 'mara'])
  harness.publish('deletion', { statusId: '8', recipientIds: ['2'] })
  expect(await byHeader.next()).toContain('"payload":"8"')
  expect(await byQuery.next()).toContain('"payload":"8"')
})

test.each([
  ['no token', '', 401, 'Missing access token'],
  ['an unknown token', '?access_token=nobody', 401, 'Invalid access token'],
  ['a revoked token', '?access_token=revoked', 401, 'Invalid access token'],
  ["an app's token", '?access_token=app', 422, 'This API requires an authenticated user'],
  ['an unconfirmed login', '?access_token=unconfirmed', 403, 'Your login is missing a confirmed e-mail address'],
  ['a pending login', '?access_token=pending', 403, 'Your login is currently pending approval'],
  ['a disabled login', '?access_token=disabled', 403, 'Your login is currently disabled'],
])('with %s there is no socket, an empty body and the reason in a header', async (_who, query, status, reason) => {
  for (const [token, id] of Object.entries({ revoked: '20', unconfirmed: '21', pending: '22', disabled: '23' }))
    await harness.tokens.issue(token, id)
  await harness.tokens.issueToApp('app')
  await harness.tokens.revoke('revoked')
  await harness.tokens.login('21', 'unconfirmed')
  await harness.tokens.login('22', 'pending')
  await harness.tokens.login('23', 'disabled')
  expect(await refusal(harness.port, query)).toEqual({ status, reason, body: '' })
})

test('while auth is away the answer is 503', async () => {
  harness.tokens.connection.isAway = true
  expect(await refusal(harness.port, '?access_token=mara')).toEqual({ status: 503, reason: 'Service Unavailable', body: '' })
  harness.tokens.connection.isAway = false
})

test('an account holds 64 connections and no more', async () => {
  await harness.tokens.issue('busy', '10')
  const listeners = await Promise.all(Array.from({ length: 64 }, () => harness.listen('?access_token=busy')))
  expect(await refusal(harness.port, '?access_token=busy')).toEqual({ status: 429, reason: 'Too many requests', body: '' })
  const [first] = listeners
  first!.socket.close()
  await first!.closed
  await harness.listen('?access_token=busy')
})

test('one socket hears several streams, one frame for each, with the parameter as it was given', async () => {
  const listener = await harness.listen('?access_token=mara&stream=user')
  listener.say({ type: 'subscribe', stream: 'public' })
  listener.say({ type: 'subscribe', stream: ['public:local', 'ignored'] })
  listener.say({ type: 'subscribe', stream: 'hashtag', tag: 'Café' })
  listener.say({ type: 'subscribe', stream: 'hashtag:local', tag: ['cafe'] })
  listener.say({ type: 'subscribe', stream: 'public:media' })
  listener.say({ type: 'subscribe', stream: 'public:remote' })
  listener.say({ type: 'subscribe', stream: 'public' })
  await listener.heard()
  harness.publish('status', { statusId: '500', authorId: '2', recipientIds: ['1', '77'], isListed: true, tags: ['cafe'] })
  const own = await harness.views.page('500', '1')
  expect(await listener.next()).toBe(bytesOf(['user'], 'update', harness.renderer.status(own, own.items[0]!)!.toString()))
  const plain = await plainStatus()
  const shared = [await listener.next(), await listener.next(), await listener.next(), await listener.next()]
  expect(shared).toEqual([
    bytesOf(['public'], 'update', plain),
    bytesOf(['public:local'], 'update', plain),
    bytesOf(['hashtag', 'Café'], 'update', plain),
    bytesOf(['hashtag:local', 'cafe'], 'update', plain),
  ])
  harness.publish('deletion', { statusId: '500', recipientIds: ['1'] })
  expect(await listener.next()).toBe('{"stream":["user"],"event":"delete","payload":"500"}')
})

test('a tag is heard without the characters that no tag has', async () => {
  const listener = await harness.listen('?access_token=mara&stream=hashtag&tag=Tea%20')
  await listener.heard()
  harness.publish('deletion', { statusId: '9', tags: ['tea'] })
  expect(await listener.next()).toBe('{"stream":["hashtag","Tea "],"event":"delete","payload":"9"}')
})

test('a list is heard by its owner, with the flags that are theirs, in the order of what was said', async () => {
  await harness.tokens.issue('lena', '7')
  await harness.views.keepList('12', '7')
  await harness.views.favourite('7', '500')
  const listener = await harness.listen('?access_token=lena&stream=list&list=12')
  listener.say({ type: 'subscribe', stream: 'list', list: '12' })
  await listener.heard()
  expect(await harness.connected()).toContain('7')
  harness.publish('status', { statusId: '500', authorId: '2', listIds: ['11', '12'] })
  const own = await harness.views.page('500', '7')
  expect(await listener.next()).toBe(bytesOf(['list', '12'], 'update', harness.renderer.status(own, own.items[0]!)!.toString()))
  harness.publish('deletion', { statusId: '500', listIds: ['12'] })
  expect(await listener.next()).toBe('{"stream":["list","12"],"event":"delete","payload":"500"}')
  listener.say({ type: 'unsubscribe', stream: 'list', list: '12' })
  listener.say({ type: 'subscribe', stream: 'list', list: '12' })
  listener.say({ type: 'unsubscribe', stream: 'list', list: '12' })
  await listener.heard()
  expect(await harness.connected()).not.toContain('7')
})

test('what was unsubscribed is heard no more', async () => {
  const listener = await harness.listen('?access_token=mara&stream=hashtag&tag=Tea')
  listener.say({ type: 'subscribe', stream: 'hashtag', tag: 'tea' })
  listener.say({ type: 'unsubscribe', stream: 'hashtag', tag: 'Tea' })
  listener.say({ type: 'unsubscribe', stream: 'public' })
  await listener.heard()
  harness.publish('deletion', { statusId: '9', tags: ['tea'] })
  harness.publish('deletion', { statusId: '10', tags: ['tea'] })
  expect(await listener.next()).toBe('{"stream":["hashtag","tea"],"event":"delete","payload":"9"}')
  expect(await listener.next()).toBe('{"stream":["hashtag","tea"],"event":"delete","payload":"10"}')
})

test.each([
  ['an unknown stream', 'read', { stream: 'lists', list: '4' }, '{"error":"Unknown stream type","status":400}'],
  ['a list stream without a list', 'read', { stream: 'list' }, '{"error":"Missing list name parameter","status":400}'],
  ['another’s list', 'read', { stream: 'list', list: '4' }, '{"error":"Not authorized to stream this list","status":401}'],
  ['no stream', 'read', {}, '{"error":"Unknown stream type","status":400}'],
  ['a tag stream without a tag', 'read', { stream: 'hashtag' }, '{"error":"Missing tag name parameter","status":400}'],
  [
    'a scope that is missing',
    'read:notifications',
    { stream: 'user' },
    '{"error":"Access token does not have the required scopes","status":401}',
  ],
  [
    'a scope that is missing',
    'read:statuses',
    { stream: 'user:notification' },
    '{"error":"Access token does not have the required scopes","status":401}',
  ],
])('%s is answered with an error, and the socket stays', async (_mistake, scope, command, answer) => {
  await harness.tokens.issue(scope, '3', [scope])
  const listener = await harness.listen(`?access_token=${scope}`)
  listener.say({ type: 'subscribe', ...command })
  expect(await listener.next()).toBe(answer)
  await listener.heard()
})

test('the first stream may be wrong too', async () => {
  const listener = await harness.listen('?access_token=mara&stream=nowhere')
  expect(await listener.next()).toBe('{"error":"Unknown stream type","status":400}')
})

test('what is not understood is ignored', async () => {
  const listener = await harness.listen('?access_token=mara')
  for (const noise of ['', 'null', '[]', '"text"', '{', '{"type":"dance"}', '{"type":{}}', '{"stream":"user"}']) listener.say(noise)
  listener.say({ type: 'subscribe', stream: 'user' })
  await listener.heard()
  harness.publish('deletion', { statusId: '11', recipientIds: ['1'] })
  expect(await listener.next()).toContain('"payload":"11"')
})

test('a binary frame closes the socket with 1003, one over 16 KiB with 1009', async () => {
  const binary = await harness.listen('?access_token=mara')
  binary.socket.send(Buffer.from('{}'))
  expect((await binary.closed).code).toBe(1003)
  const long = await harness.listen('?access_token=mara')
  long.say(`"${'x'.repeat(16 * 1024)}"`)
  expect((await long.closed).code).toBe(1009)
})

test('a socket hears 100 streams and no more', async () => {
  const listener = await harness.listen('?access_token=mara')
  for (let tag = 0; tag <= 100; tag++) listener.say({ type: 'subscribe', stream: 'hashtag', tag: `t${tag}` })
  expect(await listener.next()).toBe('{"error":"Too many requests","status":429}')
  await listener.heard()
})

test('who answers the pings stays, who missed the last one is dropped', async () => {
  const good = await harness.listen('?access_token=mara&stream=user')
  const silent = await harness.listen('?access_token=joel&stream=user', { autoPong: false })
  const pinged = [good, silent].map((listener) => new Promise((resolve) => listener.socket.once('ping', resolve)))
  harness.after(30)
  await Promise.all(pinged)
  await good.heard()
  harness.after(30)
  expect((await silent.closed).code).toBe(1006)
  harness.publish('deletion', { statusId: '12', recipientIds: ['1'] })
  expect(await good.next()).toContain('"payload":"12"')
})

test('whatever frames a client sends, as text or as bytes of its own, others are heard', async () => {
  const word = fc.constantFrom('type', 'subscribe', 'unsubscribe', 'stream', 'user', 'list', 'tag', 'since', '1', '__proto__', '\0')
  const said = fc.oneof(
    fc.dictionary(word, fc.oneof(word, fc.jsonValue({ maxDepth: 3 })), { maxKeys: 5 }).map((json) => JSON.stringify(json)),
    fc.string({ unit: 'binary', maxLength: 60 }).map((text) => text.toWellFormed()),
  )
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 }).map((each) => Buffer.from(each))
  const sent = fc.array(fc.oneof({ weight: 4, arbitrary: said }, { weight: 1, arbitrary: bytes }), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(sent, async (frames) => {
      const { socket } = await harness.listen('?access_token=mara')
      // Raw bytes, past the library: frames of any kind and length, masked or not.
      for (const frame of frames)
        if (typeof frame === 'string') socket.send(frame)
        else (socket as unknown as { _socket: Socket })._socket.write(frame)
      await new Promise((resolve) => setImmediate(resolve))
      socket.terminate()
    }),
    { seed: 20_260_505, numRuns: 150 },
  )
  const joel = await harness.listen('?stream=user&access_token=joel')
  harness.publish('deletion', { statusId: '77', recipientIds: ['2'] })
  expect(await joel.next()).toContain('"payload":"77"')
})
