import type { Cohort } from '@rookery/contracts/auth'
import type { Measure } from '@rookery/contracts/common'
import { timestamp } from './timestamp.ts'

const DAY = 86_400_000
const dateOf = (day: number) => timestamp(day * DAY)

/** Units of measures; all others have none. */
const UNITS: Readonly<Record<string, string>> = { instance_media_attachments: 'bytes' }

/** Admin::Measure (beyond-the-spec 2.6): every day of a range, in days since 1970, days without a value included. */
export const measureEntity = (
  { key, total, previousTotal, days }: Measure,
  { firstDay, lastDay }: { firstDay: number; lastDay: number },
) => {
  const byDay = new Map(days.map(({ day, value }) => [day, value]))
  return {
    key,
    unit: UNITS[key] ?? null,
    total: String(total),
    ...(UNITS[key] && { human_value: bytesOf(total) }),
    ...(previousTotal !== undefined && { previous_total: String(previousTotal) }),
    data: Array.from({ length: lastDay - firstDay + 1 }, (_, index) => ({
      date: dateOf(firstDay + index),
      value: String(byDay.get(firstDay + index) ?? 0),
    })),
  }
}

const STEPS = ['Bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** A number of bytes for people to read. */
const bytesOf = (bytes: number): string => {
  const step = Math.min(STEPS.length - 1, bytes < 1024 ? 0 : Math.floor(Math.log2(bytes) / 10))
  return `${Number((bytes / 1024 ** step).toPrecision(3))} ${STEPS[step]}`
}

type DimensionRow = { key: string; human_key: string; value: number | string; unit?: string }

/** Admin::Dimension (beyond-the-spec 2.6). */
export const dimensionEntity = ({ key, rows }: { key: string; rows: readonly DimensionRow[] }) => ({
  key,
  data: rows.map(({ value, ...row }) => ({
    ...row,
    value: String(value),
    ...(row.unit === 'bytes' && typeof value === 'number' ? { human_value: bytesOf(value) } : {}),
    ...(typeof value === 'string' && { human_value: value }),
  })),
})

/** Admin::Cohort (beyond-the-spec 2.6). */
export const cohortEntity = ({ period, retained }: Cohort, frequency: 'day' | 'month') => {
  const members = retained[0]?.value ?? 0
  return {
    period: dateOf(period),
    frequency,
    data: retained.map(({ day, value }) => ({
      date: dateOf(day),
      rate: members > 0 ? value / members : 0,
      value: String(value),
    })),
  }
}
