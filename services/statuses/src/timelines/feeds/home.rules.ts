import { dayOf } from '@rookery/runtime'

/** Days without reading after which a home is evicted. */
const RESTS_AFTER_DAYS = 30
const DAY = 86_400_000

/** The state of a home; without a row it was never built. */
export type Home = { followsSomeone: boolean; row: { floorId: string; isResting: boolean; readOn: string } | undefined }

/** The oldest day of reading that does not count as inactive. */
export const oldestDay = (now: number): string => dayOf(now - RESTS_AFTER_DAYS * DAY)

/** Whether the home must still be built: before the first follow is handled, after a long absence, or if it was lost. */
export const isUnbuilt = ({ followsSomeone, row }: Home, now: number): boolean =>
  row ? row.isResting || row.readOn < oldestDay(now) : followsSomeone

/** Whether its owner reads it for the first time today. */
export const isFirstToday = ({ row }: Home, now: number): boolean => row !== undefined && row.readOn !== dayOf(now)
