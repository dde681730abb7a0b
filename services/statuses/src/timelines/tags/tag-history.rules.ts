import type { TagDay, TagView } from '@rookery/contracts/statuses'
import type { TagRecord, TagUse } from './tag.store.ts'

const DAY = 86_400_000
const DAY_SECONDS = 86_400
/** Days a history covers, today among them (beyond-the-spec 1.16). */
const DAYS = 7

/** The start of a history's earliest day, in milliseconds since 1970. */
export const historyStart = (now: number): number => (Math.floor(now / DAY) - DAYS + 1) * DAY

/** Tags with their histories: one entry a day, today first, days without uses included. */
export const withHistories = (tags: readonly TagRecord[], uses: readonly TagUse[], now: number): TagView[] => {
  const byDay = new Map(uses.map((use) => [`${use.day} ${use.name}`, use]))
  const today = Math.floor(now / DAY)
  const dayOf = (name: string, day: number): TagDay => {
    const use = byDay.get(`${day} ${name}`)
    return { daySeconds: day * DAY_SECONDS, uses: use?.uses ?? 0, accounts: use?.accounts ?? 0 }
  }
  return tags.map((tag) => ({ ...tag, history: Array.from({ length: DAYS }, (_, ago) => dayOf(tag.name, today - ago)) }))
}
