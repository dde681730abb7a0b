import { expect, test } from 'vitest'
import { openStage } from './stage.ts'

test('streams of a server that stops end one after the other, told to come back, and hear what happens until then', async () => {
  const stage = await openStage({ farewellMilliseconds: 600 })
  stage.tokens.issue('mara', '1')
  const first = await stage.listen('?access_token=mara&stream=user')
  await first.heard()
  const second = await stage.get('/api/v1/streaming/user', { headers: { authorization: 'Bearer mara' } })
  expect(await second.next()).toBe(':)\n')
  const begun = performance.now()
  const closed = stage.module.close!()
  expect((await stage.get('/api/v1/streaming/user', { headers: { authorization: 'Bearer mara' } })).status).toBe(503)
  stage.publish('deletion', { statusId: '12', recipientIds: ['1'] })
  expect(await first.next()).toContain('"payload":"12"')
  expect(await second.next()).toBe('event: delete\ndata: 12\n\n')
  expect(await first.closed).toEqual({ code: 1001, reason: 'server is going away' })
  const afterFirst = performance.now() - begun
  const rest = await second.rest()
  expect(rest.split('\n\n').at(-2)).toMatch(/^retry: \d{3,4}$/)
  expect(afterFirst).toBeGreaterThan(250)
  expect(performance.now() - begun).toBeGreaterThan(550)
  await closed
  expect(await stage.connected()).toEqual([])
  await stage.close()
})
