import { describe, expect, test } from 'vitest'
import { cohortsOf, periodsOf } from './cohort.rules.ts'

const DAY = 86_400_000
const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY

describe('periods', () => {
  test.each([
    ['days', { firstDay: 10, lastDay: 12, isMonthly: false }, [10, 11, 12]],
    ['no day where the range ends before it begins', { firstDay: 12, lastDay: 10, isMonthly: false }, []],
    [
      'months from the one in which the range begins',
      { firstDay: dayOf('2026-11-20'), lastDay: dayOf('2027-01-02'), isMonthly: true },
      [dayOf('2026-11-01'), dayOf('2026-12-01'), dayOf('2027-01-01')],
    ],
  ])('are %s', (_, range, periods) => expect(periodsOf(range)).toEqual(periods))
})

describe('cohorts', () => {
  test('say how many of those who signed up were seen in each period or later', () => {
    const retained = [
      { period: 1, lastSeen: 3, value: 2 },
      { period: 1, lastSeen: 1, value: 1 },
      { period: 1, lastSeen: null, value: 4 },
      { period: 2, lastSeen: 9, value: 5 },
    ]
    expect(cohortsOf([1, 2, 3], retained)).toEqual([
      {
        period: 1,
        retained: [
          { day: 1, value: 7 },
          { day: 2, value: 2 },
          { day: 3, value: 2 },
        ],
      },
      {
        period: 2,
        retained: [
          { day: 2, value: 5 },
          { day: 3, value: 5 },
        ],
      },
      { period: 3, retained: [{ day: 3, value: 0 }] },
    ])
  })
})
