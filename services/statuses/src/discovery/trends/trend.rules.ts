const HOUR = 3_600_000
const DAY = 24 * HOUR

/** How long a score takes to halve, in milliseconds (beyond-the-spec 1.16, Trends). */
export const HALF_LIVES = { tag: 4 * HOUR, link: 8 * HOUR, status: HOUR } as const

/** How long a peak outweighs what follows it. */
const PEAK_COUNTS = 2 * DAY
/** What scores less trends no more: for a day and a third, a tag that five people used where no one did the day before. */
const MIN_SCORE = 1 / 16

/** The day of a moment, counted since 1970, in UTC. */
export const dayOf = (milliseconds: number): number => Math.floor(milliseconds / DAY)

/** The highest score of a tag or link lately, and when it was reached, in milliseconds since 1970. */
export type Peak = { score: number; at: number }

/** How far use rose above the day before; 0 below the least number of accounts, or when it did not rise. */
export const scoreOf = (today: number, yesterday: number, minAccounts: number): number => {
  if (today < minAccounts || today <= yesterday) return 0
  const expected = Math.max(1, yesterday)
  return (today - expected) ** 2 / expected
}

/** The number of accounts by day. */
type AccountsOn = (day: number) => number

/**
 * The peak after the counters changed: the present score where it is higher, else the former peak for two days. A former one is never higher
 * than the counters of its day justify: what was deleted, or is by people silenced since, no longer counts.
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

/** Orders scores as they decay at one rate: the logarithm of the score, and its time in half-lives. It does not change with time. */
export const rankOf = ({ score, at }: Peak, halfLife: number): number => Math.log2(score) + at / halfLife

/** The lowest rank that still trends. */
export const minRank = (now: number, halfLife: number): number => rankOf({ score: MIN_SCORE, at: now }, halfLife)

/**
 * The score of a status by how often others than its author boosted or favourited it, which decays from its creation. The first one is what
 * any status has.
 */
export const statusScore = (interactions: number): number => (interactions > 1 ? (interactions - 1) ** 2 : 0)
