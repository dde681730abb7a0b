import type { Cohort } from '@rookery/contracts/auth'
import type { Retained } from './measure.store.ts'

const DAY = 86_400_000

/** The first days of the periods in a range, in days since 1970. */
export const periodsOf = ({ firstDay, lastDay, isMonthly }: { firstDay: number; lastDay: number; isMonthly: boolean }): number[] => {
  if (!isMonthly) return Array.from({ length: Math.max(0, lastDay - firstDay + 1) }, (_, index) => firstDay + index)
  const start = new Date(firstDay * DAY)
  const monthAt = (index: number) => Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + index) / DAY
  const months: number[] = []
  for (let index = 0; monthAt(index) <= lastDay; index++) months.push(monthAt(index))
  return months
}

/** Cohorts by period of sign-up: for the period and each later one, how many of its members were active then or later. */
export const cohortsOf = (periods: readonly number[], retained: readonly Retained[]): Cohort[] => {
  const byPeriod = Map.groupBy(retained, ({ period }) => period)
  return periods.map((period) => {
    const members = byPeriod.get(period) ?? []
    const seenSince = (day: number) =>
      members.reduce((sum, { lastSeen, value }) => (day === period || (lastSeen ?? 0) >= day ? sum + value : sum), 0)
    return { period, retained: periods.filter((day) => day >= period).map((day) => ({ day, value: seenSince(day) })) }
  })
}
