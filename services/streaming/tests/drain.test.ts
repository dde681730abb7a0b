import { expect, test } from 'vitest'
import { openHarness } from './harness.ts'

test('streams of a stopping server end one after the other, ask clients to reconnect, and deliver events until then', async () => {
  const harness = await openHarness({ drainMilliseconds: 600 })
  await harness.tokens.issue('mara', '1')
  const first = await harness.listen('?access_token=mara&stream=user')
  await first.heard()
  const headers = { authorization: 'Bearer mara', accept: 'text/event-stream' }
  const second = await harness.get('/api/v1/streaming/user', { headers })
  const begun = performance.now()
  const closed = harness.module.close!()
  harness.publish('deletion', { statusId: '12', recipientIds: ['1'] })
  expect((await harness.get('/api/v1/streaming/user', { headers: { authorization: 'Bearer mara' } })).status).toBe(503)
  expect(await first.next()).toContain('"payload":"12"')
  let said = ''
  while (!said.endsWith('event: delete\ndata: 12\n\n')) said += await second.next()
  expect(await first.closed).toEqual({ code: 1001, reason: 'server is going away' })
  const afterFirst = performance.now() - begun
  const rest = await second.rest()
  expect(rest.split('\n\n').at(-2)).toMatch(/^retry: \d{3,4}$/)
  expect(afterFirst).toBeGreaterThan(250)
  expect(performance.now() - begun).toBeGreaterThan(550)
  await closed
  expect(await harness.connected()).toEqual([])
  await harness.close()
})
