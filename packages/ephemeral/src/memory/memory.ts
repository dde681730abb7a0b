import { every } from '@rookery/handles'
import type { Ephemeral } from '../ports.ts'
import { createReaders } from '../readers.ts'
import { memoryRates } from './rates.ts'

/** The ephemeral ports within one process. `onError` is called for readers of the live channel that threw. */
export const memoryEphemeral = (now: () => number, onError: (error: unknown) => void = () => {}): Ephemeral => {
  const readers = createReaders(onError)
  const connections = new Map<string, number>()
  const rates = memoryRates(now)
  const sweep = every(30_000, rates.forgetEnded, { onError, holdsProcess: false })

  return {
    live: {
      async publish(message) {
        readers.deliver(message)
        return true
      },
      reportGap: readers.gap,
      subscribe: async (read, onGap) => readers.add(read, onGap),
      fault: () => undefined,
    },
    presence: {
      async arrive(accountId) {
        connections.set(accountId, (connections.get(accountId) ?? 0) + 1)
        return true
      },
      leave(accountId) {
        const left = (connections.get(accountId) ?? 0) - 1
        if (left > 0) connections.set(accountId, left)
        else connections.delete(accountId)
      },
      connected: async () => [...connections.keys()],
    },
    rates,
    async close() {
      sweep.stop()
      readers.clear()
      connections.clear()
      rates.clear()
    },
  }
}
