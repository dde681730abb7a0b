import type { RateCounter } from '../ports.ts'

type Count = { window: number; count: number; endsAt: number }

/** Maximum keys, about 20 MB: callers with ever new addresses must not exhaust memory. */
const MAX_KEYS = 100_000

/** Counts within one process. Beyond the maximum, the key first counted longest ago is evicted. */
export const memoryRates = (
  now: () => number,
  { maxKeys = MAX_KEYS }: { maxKeys?: number } = {},
): RateCounter & { forgetEnded(): void; clear(): void } => {
  const counts = new Map<string, Count>()

  const add = (key: string, windowSeconds: number, amount: number): number => {
    const window = Math.floor(now() / 1000 / windowSeconds)
    const name = `${windowSeconds}:${key}`
    const known = counts.get(name)
    if (known?.window === window) {
      known.count += amount
      return known.count
    }
    if (amount === 0) return 0
    // Deleted first, so that the key moves to the end of the map.
    counts.delete(name)
    counts.set(name, { window, count: amount, endsAt: (window + 1) * windowSeconds * 1000 })
    if (counts.size > maxKeys) counts.delete(counts.keys().next().value!)
    return amount
  }

  return {
    hit: async (keys) => keys.map(({ key, windowSeconds, amount = 1 }) => add(key, windowSeconds, amount)),
    forgetEnded() {
      for (const [name, { endsAt }] of counts) if (endsAt <= now()) counts.delete(name)
    },
    clear: () => counts.clear(),
  }
}
