import { createMetrics, registerMetrics } from '@rookery/runtime'
import { recordStatements } from '@rookery/test-stores/plans'
import { World } from '@rookery/test-world'
import { afterAll, beforeAll, expect, test } from 'vitest'

let world: World
beforeAll(async () => {
  world = await World.open()
})
afterAll(() => world.close())

test('a scrape of the metrics sends each statement once for all gauges that show it', async () => {
  await world.idle()
  const registry = createMetrics()
  registerMetrics(registry, world.rookery.metrics)
  const recorded = recordStatements({ isEachTime: true })
  try {
    for (const scrape of [1, 2]) {
      expect(await registry.metrics()).toContain('rookery_federation_due_delivery_lag_seconds 0')
      // Relays and job workers send their own statements meanwhile.
      const counting = recorded.statements().filter(({ text }) => /count\(/.test(text) && !text.includes('force_unlock'))
      const sent = Map.groupBy(counting, ({ role, text }) => `${role}: ${text}`)
      const times = [...sent].map(([text, all]) => [text, all.length] as const)
      expect(times.filter(([, count]) => count > scrape)).toEqual([])
      expect(times.filter(([, count]) => count === scrape).length).toBeGreaterThan(10)
    }
  } finally {
    recorded.stop()
  }
})
