import { createHash } from 'node:crypto'
import type { RateCounter } from '@rookery/ephemeral'
import { countedAddress } from './client-address.ts'
import { type LimitName, RATE_LIMITS, type RateLimit } from './table.ts'

/** Where a caller stands with the limit closest to exhaustion; `resetsAt` in milliseconds since 1970. */
export type RateLimitStatus = { limit: number; remaining: number; resetsAt: number; isExceeded: boolean }

/** What is counted: a limit, and by whom or what. An amount of 0 only looks. */
export type Hit = { limit: LimitName; by: string; amount?: number }

/** A request of the public; `accountId` is empty for whoever has none. */
export type CountedRequest = {
  address: string
  accountId?: string
  /** Limits it counts in besides those of every request. */
  limits?: readonly LimitName[]
  /** Whether it came with a token that is not good. */
  hasBadToken?: boolean
}

/** Counts what is limited. */
export type RateLimiter = {
  /** Counts hits in one trip to the store. Undefined when limits are off, or nothing was counted. */
  count(hits: readonly Hit[]): Promise<RateLimitStatus | undefined>
  /** Counts a request in every limit it falls under. */
  countRequest(request: CountedRequest): Promise<RateLimitStatus | undefined>
}

const SUBJECTS: Record<RateLimit['by'], (by: string) => string> = {
  address: countedAddress,
  account: (id) => id,
  // The store learns no e-mail address.
  email: (email) => createHash('sha256').update(email.trim().toLowerCase()).digest('base64url'),
}

const keyOf = ({ name, by }: RateLimit, subject: string) => `${name}:${SUBJECTS[by](subject)}`

/** Of two that are exceeded, the one that lasts longer. */
const isCloser = (one: RateLimitStatus, other: RateLimitStatus) => {
  if (one.isExceeded !== other.isExceeded) return one.isExceeded
  return one.isExceeded ? one.resetsAt > other.resetsAt : one.remaining < other.remaining
}

const statusOf = ({ max, windowSeconds }: RateLimit, count: number, { amount = 1 }: Hit, now: number): RateLimitStatus => {
  const window = windowSeconds * 1000
  const resetsAt = (Math.floor(now / window) + 1) * window
  // Who only looks is refused once the limit is used up: the next hit would exceed it.
  return { limit: max, remaining: Math.max(0, max - count), resetsAt, isExceeded: amount === 0 ? count >= max : count > max }
}

const hitsOf = ({ address, accountId, limits = [], hasBadToken }: CountedRequest): Hit[] => {
  const subjects = { address, account: accountId ?? '', email: '' }
  const names: LimitName[] = ['address', 'account', ...limits, ...(hasBadToken ? (['tokens'] as const) : [])]
  return names.map((limit) => ({ limit, by: subjects[RATE_LIMITS[limit].by] })).filter(({ by }) => by !== '')
}

/**
 * A rate limiter over fixed windows in a shared store. `now` is the clock that windows are cut by, in milliseconds since 1970; switched
 * off, it counts nothing and lets everything pass.
 */
export const createRateLimiter = (given: { rates: RateCounter; now: () => number; isOn: boolean }): RateLimiter => {
  const count: RateLimiter['count'] = async (hits) => {
    if (!given.isOn || hits.length === 0) return undefined
    const limits = hits.map(({ limit }): RateLimit => RATE_LIMITS[limit])
    const counts = await given.rates.hit(
      hits.map(({ by, amount }, index) => {
        const limit = limits[index]!
        return { key: keyOf(limit, by), windowSeconds: limit.windowSeconds, ...(amount === undefined ? {} : { amount }) }
      }),
    )
    const now = given.now()
    return limits
      .map((limit, index) => statusOf(limit, counts[index] ?? 0, hits[index]!, now))
      .reduce((closest, each) => (isCloser(each, closest) ? each : closest))
  }
  return { count, countRequest: (request) => count(hitsOf(request)) }
}

/** Seconds until a limit resets, for Retry-After. */
export const retryAfterSeconds = ({ resetsAt }: RateLimitStatus, now: number): number => Math.max(1, Math.ceil((resetsAt - now) / 1000))

/** The names of those headers, for pages of other origins that may read them. */
export const RATE_LIMIT_HEADERS = 'X-RateLimit-Reset, X-RateLimit-Limit, X-RateLimit-Remaining'

/** The headers of a status (spec, Limits 1); the reset as ISO 8601 with microseconds (beyond-the-spec 1.5). */
export const rateLimitHeaders = ({ limit, remaining, resetsAt }: RateLimitStatus): Record<string, string> => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': new Date(resetsAt).toISOString().replace('Z', '000Z'),
})
