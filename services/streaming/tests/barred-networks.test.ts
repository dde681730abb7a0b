import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Harness, openHarness, refusal } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await openHarness({ trustedProxies: ['127.0.0.1'] })
  await harness.tokens.issue('mara', '1')
})
afterAll(() => harness.close())
beforeEach(async () => {
  await harness.tokens.bar()
})

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const USER = '?stream=user&access_token=mara'
const EVENTS = '/api/v1/streaming/user?access_token=mara'

test('a network that loses its access loses its open streams within 30 seconds, of either transport; others keep theirs', async () => {
  const gone = [await harness.listen(USER, from('203.0.113.9')), await harness.listen(USER, from('2001:db8::9'))]
  const page = await harness.get(EVENTS, from('::ffff:203.0.113.10'))
  const stays = await harness.listen(USER, from('203.0.114.9'))
  await harness.tokens.bar('203.0.113.0/24', '2001:db8::/32')
  harness.after(15)
  const end = { code: 1008, reason: 'network has no access' }
  expect(await Promise.all(gone.map(({ closed }) => closed))).toEqual([end, end])
  // Without a `retry`.
  expect((await page.rest()).replaceAll(':thump\n\n', '')).toBe(':)\n')
  expect(await refusal(harness.port, USER, from('203.0.113.9').headers)).toMatchObject({ status: 403 })
  harness.publish('deletion', { statusId: '1', recipientIds: ['1'] })
  expect((await stays.event()).event).toBe('delete')
  stays.socket.terminate()
})

test('while the networks cannot be read streams stay', async () => {
  const mara = await harness.listen(USER, from('198.51.100.9'))
  harness.tokens.connection.isAway = true
  harness.after(15)
  await expect.poll(() => harness.lines).toContain('reading the networks without access failed')
  harness.publish('deletion', { statusId: '1', recipientIds: ['1'] })
  expect((await mara.event()).event).toBe('delete')
  harness.tokens.connection.isAway = false
  mara.socket.terminate()
})
