import { dayOf } from '@rookery/runtime'

/** After so many days without reading, a home rests. */
const RESTS_AFTER_DAYS = 30
const DAY = 86_400_000

/** What the page of a home says of the home itself; without a row nothing was ever built. */
export type Home = { followsSomeone: boolean; row: { floorId: string; isResting: boolean; readOn: string } | undefined }

/** The first day that is not too long ago. */
export const oldestDay = (now: number): string => dayOf(now - RESTS_AFTER_DAYS * DAY)

/** Whether the home is yet to be built: before the first follow was acted on, after a long absence, or when it was lost. */
export const isUnbuilt = ({ followsSomeone, row }: Home, now: number): boolean =>
  row ? row.isResting || row.readOn < oldestDay(now) : followsSomeone

/** Whether its owner reads it for the first time today. */
export const isFirstToday = ({ row }: Home, now: number): boolean => row !== undefined && row.readOn !== dayOf(now)
