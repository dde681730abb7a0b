import { retryAfter } from '@rookery/ssrf-safe-fetch'

const SECOND = 1000
const HOUR = 3600 * SECOND

/** How long an alert is worth sending: as long as push services keep it, in milliseconds (beyond-the-spec 1.8). */
export const LIFETIME = 48 * HOUR
const FIRST_WAIT = 15 * SECOND
const MAX_WAIT = 6 * HOUR

/** What an answer of a push service means (RFC 8030): it took the alert, has no such subscription any more, or is to be asked again. */
export type Outcome = 'sent' | 'gone' | 'later'

const TIMEOUT = 408
const TOO_MANY = 429

/** The outcome of a status. */
export const outcomeOf = (status: number): Outcome => {
  if (status >= 200 && status < 300) return 'sent'
  return status >= 400 && status < 500 && status !== TIMEOUT && status !== TOO_MANY ? 'gone' : 'later'
}

/**
 * When to try again, in milliseconds of the epoch: twice as long after each attempt, at least as late as the push service asks, a little
 * apart from others; undefined once the alert is too old by then. `random` is from 0 to 1.
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
