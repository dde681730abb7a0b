import { expect, test } from 'vitest'
import { type Attempt, nextTryAt, outcomeOf } from './delivery.rules.ts'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 4, 5)

test.each<[Attempt, number, string]>([
  [{ status: 200 }, 0, 'delivered'],
  [{ status: 202 }, 0, 'delivered'],
  [{ status: 299 }, 0, 'delivered'],
  [{ status: 300 }, 0, 'refused'],
  [{ status: 410 }, 0, 'gone'],
  [{ status: 404 }, 0, 'refused'],
  [{ status: 403 }, 0, 'refused'],
  [{ status: 302 }, 0, 'refused'],
  [{ status: 401 }, 0, 'later'],
  [{ status: 401 }, 4, 'refused'],
  [{ status: 500 }, 3, 'later'],
  [{ status: 500 }, 4, 'refused'],
  [{ status: 408 }, 40, 'later'],
  [{ status: 425 }, 40, 'later'],
  [{ status: 429 }, 40, 'later'],
  [{ status: 502 }, 40, 'later'],
  [{ status: 503 }, 40, 'later'],
  [{ status: 504 }, 40, 'later'],
  [{ status: 505 }, 40, 'refused'],
  [{ fault: 'unreachable' }, 40, 'later'],
  [{ fault: 'refused' }, 0, 'refused'],
  [{ fault: 'invalid' }, 0, 'refused'],
])('%j after %d attempts: %s', (attempt, attempts, outcome) => expect(outcomeOf(attempt, attempts)).toBe(outcome))

test.each([
  ['half a minute after the first failure', { failures: 0 }, 30_000],
  ['twice as long each time', { failures: 3 }, 240_000],
  ['six hours at most', { failures: 2000 }, 6 * HOUR],
  ['a quarter longer at most, by chance', { failures: 0, random: 1 }, 37_500],
  ['as late as it asks, in seconds', { failures: 0, retryAfter: '600' }, 600_000],
  ['as late as it asks, as a date', { failures: 0, retryAfter: new Date(NOW + HOUR).toUTCString() }, HOUR],
  ['six hours though it asks for more', { failures: 0, retryAfter: '999999' }, 6 * HOUR],
  ['the wait, where what it asks makes no sense', { failures: 0, retryAfter: 'soon' }, 30_000],
])('a host is asked again after: %s', (_, given, wait) => {
  expect(nextTryAt({ now: NOW, random: 0, ...given })).toBe(NOW + wait)
})
