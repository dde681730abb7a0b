/** A status in a home. */
export type Entry = { statusId: string; reblogOfId: string | null }

/** Entries a home keeps; what is older is read from the statuses themselves. */
export const MAX_STORED = 800
/** How near a boost may come to the original or another boost of it (beyond-the-spec 1.12, Boost dedupe). */
export const NEAR = 80

const originalOf = ({ statusId, reblogOfId }: Entry) => reblogOfId ?? statusId

/**
 * Entries, oldest first, without the boosts of what is among the 80 kept before them: what is left when they come one after the other.
 */
export const withoutRepeats = (entries: readonly Entry[]): Entry[] => {
  const kept: Entry[] = []
  // Where each original was last kept, by itself or by a boost.
  const places = new Map<string, number>()
  for (const entry of entries) {
    const place = places.get(originalOf(entry))
    if (entry.reblogOfId !== null && place !== undefined && kept.length - place <= NEAR) continue
    places.set(originalOf(entry), kept.length)
    kept.push(entry)
  }
  return kept
}

/**
 * Entries, newest first, without the boosts of what is among the 80 entries behind them, shown or not: a decision that does not depend on
 * where a page begins. `lookBack` entries at the end are only looked at.
 */
export const withoutNearRepeats = (entries: readonly Entry[], lookBack: number): Entry[] => {
  const places = new Map<string, number[]>()
  for (const [place, entry] of entries.entries()) {
    const others = places.get(originalOf(entry))
    if (others) others.push(place)
    else places.set(originalOf(entry), [place])
  }
  return entries.slice(0, entries.length - lookBack).filter((entry, place) => {
    if (entry.reblogOfId === null) return true
    return !places.get(originalOf(entry))?.some((other) => other > place && other - place <= NEAR)
  })
}

/**
 * Two searches of the same part as one, in their order, each entry once. Where one of them stopped, what the other found beyond is left out: something
 * may stand between.
 */
export const mergedEntries = (
  one: { entries: readonly Entry[]; isAll: boolean },
  other: { entries: readonly Entry[]; isAll: boolean },
  order: 'asc' | 'desc',
): { entries: Entry[]; isAll: boolean } => {
  const isBefore = (left: string, right: string) => (order === 'desc' ? BigInt(left) > BigInt(right) : BigInt(left) < BigInt(right))
  const ends = [one, other].flatMap(({ entries, isAll }) => (isAll || entries.length === 0 ? [] : [entries.at(-1)!.statusId]))
  const byId = new Map([...one.entries, ...other.entries].map((entry) => [entry.statusId, entry]))
  const entries = [...byId.values()]
    .filter(({ statusId }) => !ends.some((end) => isBefore(end, statusId)))
    .sort((left, right) => (isBefore(left.statusId, right.statusId) ? -1 : 1))
  return { entries, isAll: one.isAll && other.isAll }
}

/** The changes that make a home match the rule. */
export type Changes = { gone: readonly string[]; come: readonly Entry[] }

/** The changes that make one set of entries of another. */
export const changesOf = (stored: readonly Entry[], wanted: readonly Entry[]): Changes => {
  const there = new Set(stored.map(({ statusId }) => statusId))
  const meant = new Set(wanted.map(({ statusId }) => statusId))
  return {
    gone: stored.filter(({ statusId }) => !meant.has(statusId)).map(({ statusId }) => statusId),
    come: wanted.filter(({ statusId }) => !there.has(statusId)),
  }
}

/** Entries a home lacks or has too many. */
export type Difference = { missing: number; unwanted: number }

/**
 * How a home differs from what belongs there, both oldest first. Which of several boosts is shown depends on the order they came in, so of
 * boosts only this counts: each stands there itself, or its original, or another boost of it. Those at the bottom of a home that is not
 * stored whole may be left out for something older.
 */
export const differenceOf = (
  { stored, isWhole }: { stored: readonly Entry[]; isWhole: boolean },
  belonging: readonly Entry[],
): Difference => {
  const { gone, come } = changesOf(stored, belonging)
  const shown = new Set(stored.map(originalOf))
  const bottom = BigInt(isWhole ? 0 : ((stored[NEAR - 1] ?? stored.at(-1))?.statusId ?? 0))
  const isExcused = (entry: Entry) => entry.reblogOfId !== null && (shown.has(entry.reblogOfId) || BigInt(entry.statusId) <= bottom)
  return { missing: come.filter((entry) => !isExcused(entry)).length, unwanted: gone.length }
}
