import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LIFETIME, nextAttempt, outcomeOf } from './delivery.rules.ts'

const NOW = Date.parse('2026-05-05T12:00:00Z')
const header = fc.oneof(
  fc.constant(undefined),
  fc.string({ maxLength: 30 }),
  fc.integer().map(String),
  fc.date({ noInvalidDate: false }).map(String),
)

it('any answer of a push service means something, and any Retry-After leads to a time within the life of the alert', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 999 }),
      header,
      fc.nat({ max: 60 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (status, retryAfter, attempt, random) => {
        expect(outcomeOf(status)).toBeOneOf(['sent', 'gone', 'later'])
        const at = nextAttempt({ createdAt: NOW, now: NOW, attempt, retryAfter, random }) ?? NOW + 1
        expect(Number.isSafeInteger(at) && at > NOW && at <= NOW + LIFETIME).toBe(true)
      },
    ),
    { seed: 20_260_505, numRuns: 3000 },
  )
})
