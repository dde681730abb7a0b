import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { World } from '@rookery/test-world'
import { afterAll, beforeAll, expect, test } from 'vitest'

const MEGABYTE = 1024 * 1024

let world: World
beforeAll(async () => {
  world = await World.open({
    settings: { STATUSES_CACHE_MEGABYTES: '32', GATEWAY_CACHE_MEGABYTES: '16', TOKEN_MEMORY: 'on', STREAMING_CACHE_MEGABYTES: '4' },
  })
})
afterAll(() => world.close())

/** The samples of a metric, by cache. */
const caches = async (name: string): Promise<Record<string, number>> => {
  const found = world.rookery.metrics.filter((metric) => metric.name === name)
  const samples = (await Promise.all(found.map(({ count }) => count()))).flat() as { labels: { cache: string }; value: number }[]
  return Object.fromEntries(samples.map(({ labels, value }) => [labels.cache, value]))
}

const bytesOutsideTheHeap = (): number => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  return process.memoryUsage().arrayBuffers
}

test('statuses that are kept take the memory of what they say, and no more', async () => {
  const { mara, ivo } = await world.cast('mara', 'ivo')
  await mara.says('a first one, so that everything is there that comes with the first')
  await ivo.get(`/api/v1/accounts/${mara.id}/statuses`)
  const [bytesBefore, entriesBefore] = [bytesOutsideTheHeap(), await caches('rookery_cache_entries')]
  for (let number = 0; number < 150; number++) {
    const { id } = await mara.says(`${number} ${'birds '.repeat(60)}`)
    expect(await ivo.get(`/api/v1/statuses/${id}`)).toMatchObject({ status: 200 })
  }
  await world.idle()
  const entries = await caches('rookery_cache_entries')
  const added =
    Object.values(entries).reduce((sum, count) => sum + count, 0) - Object.values(entriesBefore).reduce((sum, count) => sum + count, 0)
  expect(entries).toMatchObject({ statuses: 151, 'rendered statuses': 151, 'rendered accounts': expect.toSatisfy((count) => count > 0) })
  expect((bytesOutsideTheHeap() - bytesBefore) / added).toBeLessThan(4096)
})

test('caches say what they hold and how much that may be', async () => {
  expect(await caches('rookery_cache_max_bytes')).toEqual({
    statuses: 32 * MEGABYTE,
    accounts: 32 * MEGABYTE,
    contexts: 32 * MEGABYTE,
    credentials: 32 * MEGABYTE,
    'current credentials': 32 * MEGABYTE,
    texts: 32 * MEGABYTE,
    pages: 32 * MEGABYTE,
    'rendered statuses': 16 * MEGABYTE,
    'rendered accounts': 16 * MEGABYTE,
    'rendered pages': 16 * MEGABYTE,
    'streamed statuses': 4 * MEGABYTE,
    'streamed accounts': 4 * MEGABYTE,
    'streamed pages': 4 * MEGABYTE,
    'archived statuses': 5 * MEGABYTE,
    'archived accounts': 5 * MEGABYTE,
    'archived pages': 5 * MEGABYTE,
    'token holders': 16 * MEGABYTE,
  })
  const [entries, bytes] = [await caches('rookery_cache_entries'), await caches('rookery_cache_bytes')]
  for (const cache of ['statuses', 'rendered statuses']) expect(bytes[cache]! / entries[cache]!).toBeGreaterThan(500)
  for (const cache of ['statuses', 'rendered statuses']) expect(bytes[cache]! / entries[cache]!).toBeLessThan(3000)
})
