import { MAX_ID, type Tx } from '@rookery/database'
import type { StatusesTables } from '../database/schema.ts'
import { readBelonging } from './belonging.store.ts'
import { changesOf, type Entry, MOST_STORED, NEAR, withoutRepeats } from './feed.rules.ts'
import { HomeWriter } from './home-writer.store.ts'

/** What a home stores when it is made anew: the newest 800, and from where on. */
const madeAnew = (belonging: readonly Entry[], isAll: boolean): { entries: Entry[]; floorId: string } => {
  const kept = withoutRepeats(belonging)
  if (isAll && kept.length <= MOST_STORED) return { entries: kept, floorId: '0' }
  const entries = kept.slice(-MOST_STORED)
  return { entries, floorId: entries[0]?.statusId ?? '0' }
}

/**
 * Makes a person's home what it should be (beyond-the-spec 1.12), by the rule and not by what happened: after a follow, a block, a list or
 * whatever else changes what belongs there. Who calls it has claimed the feeds. Answers with what was taken out. A home that rests stays
 * as it is unless its owner is back.
 */
export const refreshHome = async (
  tx: Tx<StatusesTables>,
  accountId: string,
  { now, isBack = false }: { now: Date; isBack?: boolean },
): Promise<readonly string[]> => {
  const homes = new HomeWriter(tx)
  const stored = await homes.read(accountId)
  if (!stored || (stored.isResting && !isBack)) return []
  const wanted = { below: MAX_ID, above: '0', count: MOST_STORED + NEAR, order: 'desc', now } as const
  const { entries: belonging, isAll } = await readBelonging(tx, accountId, wanted)
  const made = madeAnew(belonging.reverse(), isAll)
  const changes = changesOf(stored.entries, made.entries)
  await homes.change(accountId, changes, made.floorId, now)
  if (isBack) await homes.wake(accountId, now)
  return changes.gone.filter((id) => BigInt(id) >= BigInt(made.floorId))
}
