import { retryAfter } from '@rookery/ssrf-safe-fetch'
import type { DeliveryResult } from '../database/tables/other-servers.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND

/** How long a delivery is retried, in milliseconds. */
export const LIFETIME = 48 * HOUR
const FIRST_WAIT = 30 * SECOND
const MAX_WAIT = 6 * HOUR
/** Attempts after which an error specific to the delivery becomes final. */
const MAX_REFUSALS = 5

/** The result of an attempt: the status of the response, or why there was none. */
export type Attempt = { readonly status: number } | { readonly fault: 'refused' | 'unreachable' | 'invalid' }

/** The consequence of an attempt: the delivery is done, or the host is retried later. */
export type Outcome = DeliveryResult | 'later'

const OVERLOADED = new Set([408, 425, 429, 502, 503, 504])

/**
 * The outcome of an attempt. Errors that may be a state of the host are retried; errors specific to the delivery (401, 500) are retried a
 * few times only, so that the delivery does not block those behind it.
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

/**
 * When to retry a host, in milliseconds since 1970: exponential backoff with jitter, at least its Retry-After. `random` is from 0 to 1.
 */
export const nextTryAt = (given: { now: number; failures: number; retryAfter?: string | undefined; random: number }): number => {
  const growing = Math.min(MAX_WAIT, FIRST_WAIT * 2 ** Math.min(given.failures, 20)) * (1 + given.random / 4)
  return Math.round(given.now + Math.max(growing, Math.min(MAX_WAIT, retryAfter(given.retryAfter, given.now))))
}
