import { retryAfter } from '@rookery/ssrf-safe-fetch'

const SECOND = 1000
const HOUR = 3600 * SECOND

/** The TTL of an alert, as for push services, in milliseconds (beyond-the-spec 1.8). */
export const LIFETIME = 48 * HOUR
const FIRST_WAIT = 15 * SECOND
const MAX_WAIT = 6 * HOUR

/** The outcome of a request to a push service (RFC 8030): accepted, an unknown subscription, or to be retried. */
export type Outcome = 'sent' | 'gone' | 'later'

const TIMEOUT = 408
const TOO_MANY = 429

/** The outcome of a status. */
export const outcomeOf = (status: number): Outcome => {
  if (status >= 200 && status < 300) return 'sent'
  return status >= 400 && status < 500 && status !== TIMEOUT && status !== TOO_MANY ? 'gone' : 'later'
}

/**
 * The time of the next attempt, in milliseconds since 1970: exponential backoff with jitter, not before the push service's Retry-After;
 * undefined if the alert has expired by then. `random` is from 0 to 1.
 */
export const nextAttempt = (given: {
  createdAt: number
  now: number
  attempt: number
  retryAfter: string | undefined
  random: number
}): number | undefined => {
  const growing = Math.min(MAX_WAIT, FIRST_WAIT * 2 ** given.attempt) * (1 + given.random / 4)
  const at = given.now + Math.max(growing, retryAfter(given.retryAfter, given.now))
  return at < given.createdAt + LIFETIME ? Math.round(at) : undefined
}
