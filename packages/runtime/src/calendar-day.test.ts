import { expect, test } from 'vitest'
import { dayOf, isCalendarDay } from './calendar-day.ts'

test.each([
  ['2026-11-22', true],
  ['2028-02-29', true],
  ['2026-02-30', false],
  ['2026-13-01', false],
  ['2026-1-1', false],
  ['2026-11-22T10:00Z', false],
  ['tea', false],
])('%s is a day: %s', (text, is) => expect(isCalendarDay(text)).toBe(is))

test.each([
  ['2026-01-02T00:00:00.000Z', '2026-01-02'],
  ['2026-01-02T23:59:59.999Z', '2026-01-02'],
])('%s is on %s', (moment, day) => expect(dayOf(Date.parse(moment))).toBe(day))
