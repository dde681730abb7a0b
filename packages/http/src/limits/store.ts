import { createHash } from 'node:crypto'
import type { RateCounter } from '@rookery/ephemeral'
import type { Store } from 'express-rate-limit'
import { countedAddress } from './counted-address.ts'
import { type LimitName, RATE_LIMITS, type RateLimit } from './table.ts'

/** A hit: the limit, and the address, account, e-mail address or host it counts for. An amount of 0 only reads. */
export type Hit = { limit: LimitName; by: string; amount?: number }

/** The counters, and the clock that determines the windows, in milliseconds since 1970. */
export type RateStore = { rates: RateCounter; now: () => number }

const SUBJECTS: Record<RateLimit['by'], (by: string) => string> = {
  address: countedAddress,
  account: (id) => id,
  host: (host) => host,
  // Hashed: the store gets no e-mail addresses.
  email: (email) => createHash('sha256').update(email.trim().toLowerCase()).digest('base64url'),
}

/** The end of a limit's current window, in milliseconds since 1970: windows are aligned to 1970 (beyond-the-spec 1.5). */
export const windowEnd = ({ windowSeconds }: RateLimit, now: number): number => {
  const window = windowSeconds * 1000
  return (Math.floor(now / window) + 1) * window
}

/** Counts hits in one round trip to the store, and returns the counts in order. */
export const countHits = (hits: readonly Hit[], { rates }: RateStore): Promise<number[]> =>
  rates.hit(
    hits.map(({ limit, by, amount }) => {
      const { name, windowSeconds, by: kind } = RATE_LIMITS[limit] as RateLimit
      return { key: `${name}:${SUBJECTS[kind](by)}`, windowSeconds, ...(amount === undefined ? {} : { amount }) }
    }),
  )

/** The same counters as a store of express-rate-limit; its keys are plain addresses and account ids. */
export const storeOf = (limit: LimitName, store: RateStore): Store => {
  const hit = async (by: string, amount: number) => {
    const [totalHits = 0] = await countHits([{ limit, by, amount }], store)
    return { totalHits, resetTime: new Date(windowEnd(RATE_LIMITS[limit], store.now())) }
  }
  return {
    localKeys: false,
    increment: (key) => hit(key, 1),
    get: (key) => hit(key, 0),
    decrement: async (key) => void (await hit(key, -1)),
    resetKey: async (key) => void (await hit(key, -(await hit(key, 0)).totalHits)),
  }
}
