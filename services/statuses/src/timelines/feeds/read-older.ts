import type { Kysely } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'
import { readBelonging } from './belonging.store.ts'
import { type Entry, NEAR, withoutNearRepeats } from './feed.rules.ts'

/** A part of a home below what is stored of it. */
export type OlderPart = { accountId: string; below: string; above: string; count: number; now: Date }

const idsOf = (entries: readonly Entry[]) => entries.map(({ statusId }) => statusId)
/** The id after one, as a bound that takes the one in. */
const after = (id: string) => String(BigInt(id) + 1n)

/**
 * The newest entries below what a home stores, found by the same rule (beyond-the-spec 1.12). One statement as a rule: what is read beyond
 * the page is looked at for repeats of boosts.
 */
export const readOlderDown = async (db: Kysely<StatusesTables>, part: OlderPart): Promise<string[]> => {
  for (let count = part.count + NEAR; ; count *= 2) {
    const { entries, isAll } = await readBelonging(db, part.accountId, { ...part, above: '0', count, order: 'desc' })
    const shown = idsOf(withoutNearRepeats(entries, isAll ? 0 : NEAR)).filter((id) => BigInt(id) > BigInt(part.above))
    const isPast = entries.length > NEAR && BigInt(entries.at(-NEAR)!.statusId) <= BigInt(part.above)
    if (shown.length >= part.count || isAll || isPast) return shown.slice(0, part.count)
  }
}

/** The oldest entries above one, as far as what the home stores: two statements as a rule, because repeats are looked for behind them. */
export const readOlderUp = async (db: Kysely<StatusesTables>, part: OlderPart): Promise<string[]> => {
  const behind = { below: after(part.above), above: '0', count: NEAR, order: 'desc', now: part.now } as const
  const { entries: before } = await readBelonging(db, part.accountId, behind)
  for (let count = part.count; ; count *= 2) {
    const { entries, isAll } = await readBelonging(db, part.accountId, { ...part, count, order: 'asc' })
    const shown = idsOf(withoutNearRepeats([...entries.reverse(), ...before], before.length)).reverse()
    if (shown.length >= part.count || isAll) return shown.slice(0, part.count)
  }
}
