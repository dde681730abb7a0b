import type { TagDay, TagView } from '@rookery/contracts/statuses'
import type { TagRecord, TagUse } from './tag.store.ts'

const DAY = 86_400_000
const DAY_SECONDS = 86_400
/** Days of a history, including today (beyond-the-spec 1.16). */
export const DAYS = 7

/** The start of a history's earliest day, in milliseconds since 1970. */
export const historyStart = (now: number): number => (Math.floor(now / DAY) - DAYS + 1) * DAY

/** A history: one entry per day, today first, including days without uses. */
export const historyOf = (uses: readonly Omit<TagUse, 'name'>[], now: number): TagDay[] => {
  const byDay = new Map(uses.map((use) => [use.day, use]))
  const today = Math.floor(now / DAY)
  return Array.from({ length: DAYS }, (_, ago) => {
    const use = byDay.get(today - ago)
    return { daySeconds: (today - ago) * DAY_SECONDS, uses: use?.uses ?? 0, accounts: use?.accounts ?? 0 }
  })
}

/** Adds histories to tags. */
export const withHistories = (tags: readonly TagRecord[], uses: readonly TagUse[], now: number): TagView[] => {
  const byName = Map.groupBy(uses, ({ name }) => name)
  return tags.map(({ id, name, display }) => ({ id, name, display, history: historyOf(byName.get(name) ?? [], now) }))
}
