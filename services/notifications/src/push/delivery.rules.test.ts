import { expect, test } from 'vitest'
import { LIFETIME, nextAttempt, outcomeOf } from './delivery.rules.ts'

const NOW = Date.UTC(2026, 10, 22)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const base = { createdAt: NOW, now: NOW, attempt: 0, retryAfter: undefined as string | undefined, random: 0 }

test.each([
  [200, 'sent'],
  [201, 'sent'],
  [202, 'sent'],
  [301, 'later'],
  [400, 'gone'],
  [403, 'gone'],
  [404, 'gone'],
  [408, 'later'],
  [410, 'gone'],
  [413, 'gone'],
  [429, 'later'],
  [500, 'later'],
  [503, 'later'],
])('an answer %i means %s', (status, outcome) => {
  expect(outcomeOf(status)).toBe(outcome)
})

test.each([
  ['the first wait', {}, 15_000],
  ['twice as long each time', { attempt: 3 }, 120_000],
  ['six hours at most', { attempt: 30 }, 6 * HOUR],
  ['a quarter longer at most, by chance', { random: 1 }, 18_750],
  ['as late as it asks, in seconds', { retryAfter: '600' }, 600_000],
  ['as late as it asks, as a date', { retryAfter: new Date(NOW + HOUR).toUTCString() }, HOUR],
  ['no earlier than the wait', { retryAfter: '1' }, 15_000],
  ['the wait, where what it asks makes no sense', { retryAfter: 'soon' }, 15_000],
])('it is tried again after: %s', (_case, given, wait) => {
  expect(nextAttempt({ ...base, ...given })).toBe(NOW + wait)
})

test.each([[{ now: NOW + LIFETIME - MINUTE, attempt: 5 }], [{ retryAfter: String(3 * 24 * 3600) }]])(
  'it is not tried again when it would be too old: %j',
  (given) => {
    expect(nextAttempt({ ...base, ...given })).toBeUndefined()
  },
)
