/** An entry of a home. */
export type Entry = { statusId: string; reblogOfId: string | null }

/** Maximum entries stored per home; older ones are computed from the statuses. */
export const MAX_STORED = 800
/** Minimum distance, in entries, of a boost from the original or another boost of it (beyond-the-spec 1.12, Boost dedupe). */
export const NEAR = 80

const originalOf = ({ statusId, reblogOfId }: Entry) => reblogOfId ?? statusId

/** Entries, oldest first, without boosts of statuses among the 80 entries kept before them: the result of placing them in order. */
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
 * Entries, newest first, without boosts of statuses among the 80 entries after them, shown or not, so that the result does not depend on where a page
 * begins. The last `lookBack` entries are only compared with.
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
 * Merges two searches of the same part, in order, each entry once. Beyond the point where one of them stopped, entries of the other are left out:
 * there may be others in between.
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

/** The entries to remove and to add so that a home matches the rule. */
export type Changes = { gone: readonly string[]; come: readonly Entry[] }

/** The changes from one set of entries to another. */
export const changesOf = (stored: readonly Entry[], wanted: readonly Entry[]): Changes => {
  const there = new Set(stored.map(({ statusId }) => statusId))
  const meant = new Set(wanted.map(({ statusId }) => statusId))
  return {
    gone: stored.filter(({ statusId }) => !meant.has(statusId)).map(({ statusId }) => statusId),
    come: wanted.filter(({ statusId }) => !there.has(statusId)),
  }
}

/** The numbers of missing and unwanted entries of a home. */
export type Difference = { missing: number; unwanted: number }

/**
 * The difference between a home and the entries that belong there, both oldest first. Which of several boosts is shown depends on the order of their
 * arrival, so a boost is not missing if its original or another boost of it is there. Boosts at the bottom of a truncated home may be left out
 * because of an older entry.
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
