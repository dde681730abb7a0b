import { every } from '@rookery/handles'
import { memoryRates } from '../memory/rates.ts'
import type { RateCounter } from '../ports.ts'
import type { Connection } from './connection.ts'
import { withTimeout } from './with-timeout.ts'

type Hits = Parameters<RateCounter['hit']>[0]

/** How long a request waits for Redis to count it. */
const TIMEOUT_MILLISECONDS = 250
/** How often a Redis that timed out is probed. */
const PROBE_MILLISECONDS = 1000

const SWEEP_MILLISECONDS = 30_000

/**
 * Rate counts over Redis. Each process counts in memory too, and uses only that while Redis is unavailable: limits then hold per process. A
 * Redis that times out counts as unavailable until a probe, which no request waits for, is answered. If Redis lost its counts, the larger
 * of the two holds.
 */
export const redisRates = (given: { connection: Connection; prefix: string; now: () => number }): RateCounter & { close(): void } => {
  const { connection, prefix, now } = given
  const { client } = connection
  const local = memoryRates(now)
  const sweep = every(SWEEP_MILLISECONDS, local.forgetEnded, { onError: () => {}, holdsProcess: false })
  let isSilent = false
  // On the machine's monotonic clock, which tests do not move.
  let probeAt = 0

  const shared = async (hits: Hits): Promise<number[]> => {
    const counting = client.pipeline()
    for (const { key, windowSeconds, amount = 1 } of hits) {
      const window = Math.floor(now() / 1000 / windowSeconds)
      const name = `${prefix}rate:${windowSeconds}:${window}:${key}`
      if (amount === 0) counting.get(name).exists(name)
      else counting.incrby(name, amount).expire(name, windowSeconds)
    }
    const answers = (await counting.exec()) ?? []
    return hits.map((_, index) => Number(answers[index * 2]?.[1] ?? 0))
  }

  const probe = (hits: Hits) => {
    if (performance.now() < probeAt) return
    probeAt = performance.now() + PROBE_MILLISECONDS
    shared(hits).then(
      () => {
        isSilent = false
      },
      () => {},
    )
  }

  const everywhere = async (hits: Hits): Promise<number[]> => {
    if (connection.fault() !== undefined) return []
    if (isSilent) {
      probe(hits)
      return []
    }
    const counts = await withTimeout(shared(hits), TIMEOUT_MILLISECONDS)
    isSilent = counts === undefined
    return counts ?? []
  }

  return {
    async hit(hits) {
      const [here, shared] = await Promise.all([local.hit(hits), everywhere(hits)])
      return here.map((count, index) => Math.max(count, shared[index] ?? 0))
    },
    close() {
      sweep.stop()
      local.clear()
    },
  }
}
