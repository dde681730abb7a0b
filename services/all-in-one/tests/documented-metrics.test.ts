import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMetrics, createObservers, registerMetrics } from '@rookery/runtime'
import { World } from '@rookery/test-world'
import { afterAll, beforeAll, expect, test } from 'vitest'

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8')

let shown: string[]
let world: World
beforeAll(async () => {
  world = await World.open()
  const registry = createMetrics()
  createObservers(registry)
  registerMetrics(registry, world.rookery.metrics)
  shown = registry.getMetricsAsArray().map(({ name }) => name)
})
afterAll(() => world.close())

test('every metric of ours is in the list of what is measured', () => {
  const missing = shown.filter((name) => name.startsWith('rookery_') && !DOCUMENT.includes(`\`${name}\``))
  expect(missing).toEqual([])
})

test('what the list names is measured', () => {
  const named = [...new Set([...DOCUMENT.matchAll(/`((?:rookery|nodejs)_[a-z0-9_]+)`/g)].map(([, name]) => name!))]
  // Metrics of videos exist only with ffmpeg.
  const gone = named.filter((name) => !shown.includes(name) && !name.startsWith('rookery_motion_'))
  expect(gone).toEqual([])
})
