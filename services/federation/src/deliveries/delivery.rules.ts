import { retryAfter } from '@rookery/ssrf-safe-fetch'
import type { DeliveryResult } from '../database/tables/other-servers.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND

/** How long a delivery is retried, in milliseconds. */
export const LIFETIME = 48 * HOUR
const FIRST_WAIT = 30 * SECOND
const MAX_WAIT = 6 * HOUR
/** Attempts after which an answer that is the delivery's own fault counts as final. */
const MAX_REFUSALS = 5

/** The result of an attempt: an answer's status, or why there was none. */
export type Attempt = { readonly status: number } | { readonly fault: 'refused' | 'unreachable' | 'invalid' }

/** The consequence of an attempt: the delivery is done, or the host is retried later. */
export type Outcome = DeliveryResult | 'later'

const OVERLOADED = new Set([408, 425, 429, 502, 503, 504])

/**
 * The outcome of an attempt. What may be the host's state is tried again; what the host says of this delivery (401, 500) is tried a few
 * times, so that it does not hold up those behind it.
 */
export const outcomeOf = (attempt: Attempt, attempts: number): Outcome => {
  if ('fault' in attempt) return attempt.fault === 'unreachable' ? 'later' : 'refused'
  const { status } = attempt
  if (status >= 200 && status < 300) return 'delivered'
  if (status === 410) return 'gone'
  if (OVERLOADED.has(status)) return 'later'
  if (status === 401 || status >= 500) return attempts + 1 >= MAX_REFUSALS ? 'refused' : 'later'
  return 'refused'
}

/** When to ask a host again, in milliseconds since 1970: twice as long after each failure, a little apart from others. `random` is from 0 to 1. */
export const nextTryAt = (given: { now: number; failures: number; retryAfter?: string | undefined; random: number }): number => {
  const growing = Math.min(MAX_WAIT, FIRST_WAIT * 2 ** Math.min(given.failures, 20)) * (1 + given.random / 4)
  return Math.round(given.now + Math.max(growing, Math.min(MAX_WAIT, retryAfter(given.retryAfter, given.now))))
}
