import type { Ephemeral } from '../ports.ts'

/** The ephemeral ports within one process. `onError` is told of readers of the live channel that threw. */
export const memoryEphemeral = (now: () => number, onError: (error: unknown) => void = () => {}): Ephemeral => {
  const readers = new Set<(message: Uint8Array) => void>()
  const connections = new Map<string, number>()
  const counts = new Map<string, { window: number; count: number; endsAt: number }>()
  const values = new Map<string, { value: string; endsAt: number }>()
  const sweep = setInterval(() => {
    for (const map of [counts, values]) for (const [key, { endsAt }] of map) if (endsAt <= now()) map.delete(key)
  }, 30_000)
  sweep.unref()

  return {
    live: {
      publish(message) {
        for (const read of readers) {
          try {
            read(message)
          } catch (error) {
            onError(error)
          }
        }
      },
      async subscribe(read) {
        readers.add(read)
        return () => void readers.delete(read)
      },
      fault: () => undefined,
    },
    presence: {
      arrive(accountId) {
        connections.set(accountId, (connections.get(accountId) ?? 0) + 1)
      },
      leave(accountId) {
        const left = (connections.get(accountId) ?? 0) - 1
        if (left > 0) connections.set(accountId, left)
        else connections.delete(accountId)
      },
      connected: async () => [...connections.keys()],
    },
    rates: {
      hit: async (keys) =>
        keys.map(({ key, windowSeconds }) => {
          const window = Math.floor(now() / 1000 / windowSeconds)
          const name = `${windowSeconds}:${key}`
          const entry = counts.get(name)
          if (entry && entry.window === window) return ++entry.count
          counts.set(name, { window, count: 1, endsAt: (window + 1) * windowSeconds * 1000 })
          return 1
        }),
    },
    cache: {
      async get(key) {
        const entry = values.get(key)
        return entry && entry.endsAt > now() ? entry.value : undefined
      },
      async set(key, value, seconds) {
        values.set(key, { value, endsAt: now() + seconds * 1000 })
      },
    },
    async close() {
      clearInterval(sweep)
      readers.clear()
      connections.clear()
      counts.clear()
      values.clear()
    },
  }
}
