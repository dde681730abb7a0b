import { expect, test } from 'vitest'
import { historyStart, withHistories } from './tag-history.rules.ts'

const NOW = Date.parse('2026-03-07T13:00:00Z')
const TODAY = Math.floor(NOW / 86_400_000)

test('a history begins six days before today, at midnight UTC', () => {
  expect(new Date(historyStart(NOW))).toEqual(new Date('2026-03-01T00:00:00Z'))
})

test('a history has seven days, today first, also those without uses', () => {
  const tags = [
    { name: 'tea', display: 'Tea' },
    { name: 'cake', display: 'cake' },
  ]
  const uses = [
    { name: 'tea', day: TODAY, uses: 3, accounts: 2 },
    { name: 'tea', day: TODAY - 6, uses: 1, accounts: 1 },
    { name: 'tea', day: TODAY - 7, uses: 9, accounts: 9 },
  ]
  const [tea, cake] = withHistories(tags as never, uses as never, NOW)
  expect(tea?.history.map((day) => day.uses)).toEqual([3, 0, 0, 0, 0, 0, 1])
  expect(tea?.history[0]).toEqual({ daySeconds: Date.parse('2026-03-07T00:00:00Z') / 1000, uses: 3, accounts: 2 })
  expect(cake?.history.map((day) => day.uses)).toEqual([0, 0, 0, 0, 0, 0, 0])
})
