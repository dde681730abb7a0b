import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, openHarness } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await openHarness()
  await harness.tokens.issue('mara', '1')
  await harness.tokens.issue('no-statuses', '1', ['read:notifications', 'write'])
  await harness.tokens.issue('no-notifications', '1', ['read:statuses'])
  await harness.views.say({ id: '500', authorId: '2' })
})
afterAll(() => harness.close())

const MARA = { headers: { authorization: 'Bearer mara' } }

test('a stream says what it is, greets, and carries events as lines', async () => {
  const page = await harness.get('/api/v1/streaming/user/', MARA)
  expect(page.status).toBe(200)
  expect(page.headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'private, no-store',
    'x-accel-buffering': 'no',
    'access-control-allow-origin': '*',
  })
  expect(await page.next()).toBe(':)\n')
  harness.publish('status', { statusId: '500', authorId: '2', recipientIds: ['1'] })
  const own = await harness.views.page('500', '1')
  expect(await page.next()).toBe(`event: update\ndata: ${harness.renderer.status(own, own.items[0]!)!.toString()}\n\n`)
  harness.publish('deletion', { statusId: '500', recipientIds: ['1'] })
  expect(await page.next()).toBe('event: delete\ndata: 500\n\n')
  harness.after(15)
  expect(await page.next()).toBe(':thump\n\n')
  page.leave()
})

test('an event without a payload has the word for it, unless the server is set to leave such events out', async () => {
  const page = await harness.get('/api/v1/streaming/user', MARA)
  expect(await page.next()).toBe(':)\n')
  harness.publish('filtersChanged', { accountId: '1' })
  expect(await page.next()).toBe('event: filters_changed\ndata: undefined\n\n')
  page.leave()

  const careful = await openHarness({ sendsEmptyEvents: false })
  await careful.tokens.issue('mara', '1')
  const quiet = await careful.get('/api/v1/streaming/user', MARA)
  expect(await quiet.next()).toBe(':)\n')
  careful.publish('filtersChanged', { accountId: '1' })
  careful.publish('notificationsMerged', { accountId: '1' })
  expect(await quiet.next()).toBe('event: notifications_merged\ndata: 1\n\n')
  quiet.leave()
  await careful.close()
})

test.each([
  ['/public', { isListed: true }, { isListed: false }],
  ['/public?only_media=true', { isListed: true, hasMedia: true }, { isListed: true }],
  ['/public?only_media=0', { isListed: true }, { isListed: false }],
  ['/public/local', { isListed: true }, { isListed: true, isLocal: false }],
  ['/public/local?only_media=1', { isListed: true, hasMedia: true }, { isListed: true }],
  ['/public/remote', { isListed: true, isLocal: false }, { isListed: true }],
  ['/public/remote?only_media=on', { isListed: true, isLocal: false, hasMedia: true }, { isListed: true, isLocal: false }],
  ['/hashtag?tag=%23Tea', { tags: ['tea'] }, { tags: ['coffee'], isListed: true }],
  ['/hashtag/local?tag=tea', { tags: ['tea'] }, { tags: ['tea'], isLocal: false }],
])('%s carries what belongs there and nothing else', async (path, inside, outside) => {
  const page = await harness.get(`/api/v1/streaming${path}`, MARA)
  expect(await page.next()).toBe(':)\n')
  harness.publish('deletion', { statusId: '1', ...outside })
  harness.publish('deletion', { statusId: '2', ...inside })
  expect(await page.next()).toBe('event: delete\ndata: 2\n\n')
  page.leave()
})

test.each([
  ['/user', {}, 401, 'Missing access token'],
  ['/user?access_token=nobody', {}, 401, 'Invalid access token'],
  ['/user', { authorization: 'Basic mara' }, 401, 'Missing access token'],
  ['/user?access_token=no-statuses', {}, 401, 'Access token does not have the required scopes'],
  ['/public?access_token=no-statuses', {}, 401, 'Access token does not have the required scopes'],
  ['/user/notification?access_token=no-notifications', {}, 401, 'Access token does not have the required scopes'],
  ['/list?access_token=mara', {}, 400, 'Missing list name parameter'],
  ['/list?list=&access_token=mara', {}, 400, 'Missing list name parameter'],
  ['/list?list=404&access_token=mara', {}, 401, 'Not authorized to stream this list'],
  ['/list?list=12a&access_token=mara', {}, 401, 'Not authorized to stream this list'],
  ['/nowhere?access_token=mara', {}, 400, 'Unknown channel requested'],
  ['/nonsense?access_token=mara', {}, 400, 'Unknown channel requested'],
  ['/hashtag?access_token=mara', {}, 400, 'Missing tag name parameter'],
  ['/hashtag/local?access_token=mara&tag=', {}, 400, 'Missing tag name parameter'],
  ['', MARA.headers, 404, 'Not Found'],
  ['/', MARA.headers, 404, 'Not Found'],
])('GET /api/v1/streaming%s %o is refused with %i', async (path, headers, status, error) => {
  const page = await harness.get(`/api/v1/streaming${path}`, { headers })
  expect([page.status, JSON.parse(await page.rest())]).toEqual([status, { error }])
  expect(page.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'access-control-allow-origin': '*' })
  expect(page.headers['www-authenticate']).toBe(
    status === 401 ? `Bearer realm="Rookery", error="invalid_token", error_description="${error}"` : undefined,
  )
})

test('no one is present who was refused', async () => {
  await (await harness.get('/api/v1/streaming/user?access_token=no-statuses')).rest()
  await expect.poll(() => harness.connected()).toEqual([])
})

test('health says OK to anyone', async () => {
  const page = await harness.get('/api/v1/streaming/health')
  expect([page.status, page.headers['content-type'], await page.rest()]).toEqual([200, 'text/plain; charset=utf-8', 'OK'])
})

test('a wrong method is 404', async () => {
  const page = await harness.get('/api/v1/streaming/user', { ...MARA, method: 'POST' })
  expect([page.status, await page.rest()]).toEqual([404, '{"error":"Not Found"}'])
})

test('HEAD gets the headers and no stream', async () => {
  const page = await harness.get('/api/v1/streaming/user', { ...MARA, method: 'HEAD' })
  expect([page.status, page.headers['content-type'], await page.rest()]).toEqual([200, 'text/event-stream', ''])
})

test('pages of other origins may ask with any header, without a token', async () => {
  const page = await harness.get('/api/v1/streaming/user', {
    method: 'OPTIONS',
    headers: { origin: 'https://elk.example', 'access-control-request-headers': 'authorization,x-own' },
  })
  expect(page.status).toBe(204)
  expect(page.headers).toMatchObject({ 'access-control-allow-origin': '*', 'access-control-allow-headers': 'authorization,x-own' })
})

test('while auth is away the answer is 503', async () => {
  harness.tokens.connection.isAway = true
  const page = await harness.get('/api/v1/streaming/user', MARA)
  expect([page.status, await page.rest()]).toEqual([503, '{"error":"Service Unavailable"}'])
  harness.tokens.connection.isAway = false
})
