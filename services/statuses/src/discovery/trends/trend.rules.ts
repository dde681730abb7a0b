const HOUR = 3_600_000
const DAY = 24 * HOUR

/** How long a score takes to halve, in milliseconds (beyond-the-spec 1.16, Trends). */
export const HALF_LIVES = { tag: 4 * HOUR, link: 8 * HOUR, status: HOUR } as const

/** How long a peak outweighs later scores, in milliseconds. */
const PEAK_COUNTS = 2 * DAY
/** The minimum score of a trend: a tag used by five accounts, and by none the day before, stays above it for 32 hours. */
const MIN_SCORE = 1 / 16

/** The UTC day of a time, in days since 1970. */
export const dayOf = (milliseconds: number): number => Math.floor(milliseconds / DAY)

/** The highest recent score of a tag or link, and when it was reached, in milliseconds since 1970. */
export type Peak = { score: number; at: number }

/** The rise of use above the day before; 0 below the minimum of accounts, or without a rise. */
export const scoreOf = (today: number, yesterday: number, minAccounts: number): number => {
  if (today < minAccounts || today <= yesterday) return 0
  const expected = Math.max(1, yesterday)
  return (today - expected) ** 2 / expected
}

/** The number of accounts by day. */
type AccountsOn = (day: number) => number

/**
 * The peak after the counters changed: the current score if it is higher, otherwise the former peak for two days. The former one is lowered to what
 * the counters of its day justify: deleted statuses, and those of people silenced since, no longer count.
 */
export const nextPeak = ({
  peak,
  accountsOn,
  now,
  minAccounts,
}: {
  peak: Peak | undefined
  accountsOn: AccountsOn
  now: number
  minAccounts: number
}): Peak | undefined => {
  const scoreOn = (day: number) => scoreOf(accountsOn(day), accountsOn(day - 1), minAccounts)
  const current = { score: scoreOn(dayOf(now)), at: now }
  const isRecent = peak !== undefined && now - peak.at < PEAK_COUNTS
  const former = isRecent ? { score: Math.min(peak.score, scoreOn(dayOf(peak.at))), at: peak.at } : undefined
  const higher = former && former.score >= current.score ? former : current
  return higher.score > 0 ? higher : undefined
}

/** Orders decaying scores: the logarithm of the score plus its time in half-lives, which does not change over time. */
export const rankOf = ({ score, at }: Peak, halfLife: number): number => Math.log2(score) + at / halfLife

/** The minimum rank of a trend. */
export const minRank = (now: number, halfLife: number): number => rankOf({ score: MIN_SCORE, at: now }, halfLife)

/**
 * The score of a status by the boosts and favourites of others than its author, which decays from its creation. The first one does not count, since
 * any status may get one.
 */
export const statusScore = (interactions: number): number => (interactions > 1 ? (interactions - 1) ** 2 : 0)
