import type { Order } from '@rookery/database'
import { type Entry, NEAR, withoutNearRepeats } from './feed.rules.ts'
import type { Found } from './gather.ts'

/** A part of a home that is computed on reading: below its stored entries, or with pulled ones. */
type HomePart = { below: string; above: string; count: number }

/** The ids of a part, in order; `readTo` if the search for more of them stopped early. */
export type ReadIds = { ids: string[]; readTo?: string }

/** Finds entries of a home between two ids: at least `count`, all there are, or those up to where it stopped early. */
export type FindEntries = (wanted: HomePart & { order: Order }) => Promise<Found>

const idsOf = (entries: readonly Entry[]) => entries.map(({ statusId }) => statusId)
/** The next id, as a bound that includes the given one. */
const after = (id: string) => String(BigInt(id) + 1n)

const hasBoosts = (entries: readonly Entry[]) => entries.some(({ reblogOfId }) => reblogOfId !== null)

/** The entries after the last one, newest first, as far as boosts may repeat them. */
const readBehind = async (find: FindEntries, entries: readonly Entry[], below: string): Promise<Entry[]> =>
  hasBoosts(entries) ? (await find({ below, above: '0', count: NEAR, order: 'desc' })).entries : []

/** The newest entries of a part (beyond-the-spec 1.12). Usually one search; with boosts another, for the statuses they may repeat. */
export const readDown = async (find: FindEntries, part: HomePart): Promise<ReadIds> => {
  for (let count = part.count; ; count *= 2) {
    const { entries, isAll, readTo } = await find({ ...part, count, order: 'desc' })
    const behind = await readBehind(find, entries, entries.at(-1)?.statusId ?? '0')
    const shown = idsOf(withoutNearRepeats([...entries, ...behind], behind.length))
    if (shown.length >= part.count || isAll) return { ids: shown.slice(0, part.count) }
    if (readTo !== undefined) return { ids: shown, readTo }
  }
}

/** The oldest entries of a part, as `readDown` finds the newest. */
export const readUp = async (find: FindEntries, part: HomePart): Promise<ReadIds> => {
  for (let count = part.count; ; count *= 2) {
    const { entries, isAll, readTo } = await find({ ...part, count, order: 'asc' })
    const behind = await readBehind(find, entries, after(part.above))
    const shown = idsOf(withoutNearRepeats([...entries.reverse(), ...behind], behind.length)).reverse()
    if (shown.length >= part.count || isAll) return { ids: shown.slice(0, part.count) }
    if (readTo !== undefined) return { ids: shown, readTo }
  }
}
