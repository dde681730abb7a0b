import { MAX_ID, type Tx } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import { readBelonging } from './belonging.store.ts'
import { type Changes, changesOf, type Entry, MAX_STORED, NEAR, withoutRepeats } from './feed.rules.ts'
import { HomeWriter } from './home-writer.store.ts'

/** The stored state of a rebuilt home: the newest 800 entries, and the floor. */
const madeAnew = (belonging: readonly Entry[], isAll: boolean): { entries: Entry[]; floorId: string } => {
  const kept = withoutRepeats(belonging)
  if (isAll && kept.length <= MAX_STORED) return { entries: kept, floorId: '0' }
  const entries = kept.slice(-MAX_STORED)
  return { entries, floorId: entries[0]?.statusId ?? '0' }
}

/** The changes of a rebuilt home, its floor, and the entries it loses above the floor. */
type Refreshed = { changes: Changes; floorId: string; gone: readonly string[] }

/** The changes that rebuild a home by the rule; undefined if it is to be left alone. The caller must hold the claim on feeds. */
const refreshed = async (tx: Tx<StatusesTables>, accountId: string, { now, isBack }: Options): Promise<Refreshed | undefined> => {
  const stored = await new HomeWriter(tx).read(accountId)
  if (!stored || (stored.isResting && !isBack)) return undefined
  const wanted = { below: MAX_ID, above: '0', count: MAX_STORED + NEAR, order: 'desc', now } as const
  const { entries: belonging, isAll } = await readBelonging(tx, accountId, wanted, 'written')
  const made = madeAnew(belonging.reverse(), isAll)
  const changes = changesOf(stored.entries, made.entries)
  return { changes, floorId: made.floorId, gone: changes.gone.filter((id) => BigInt(id) >= BigInt(made.floorId)) }
}

type Options = { now: Date; isBack?: boolean }

/** The entries that `refreshHome` would remove from a home, without removing them. The caller must hold the claim on feeds. */
export const readUnwanted = async (tx: Tx<StatusesTables>, accountId: string, now: Date): Promise<readonly string[]> =>
  (await refreshed(tx, accountId, { now }))?.gone ?? []

/**
 * Rebuilds an account's home by the rule (beyond-the-spec 1.12), after a follow, a block, a list or another change of what belongs there. The caller
 * must hold the claim on feeds. An evicted home is left alone unless its owner returned.
 */
export const refreshHome = async (tx: Tx<StatusesTables>, accountId: string, options: Options): Promise<void> => {
  const home = await refreshed(tx, accountId, options)
  if (!home) return
  const homes = new HomeWriter(tx)
  await homes.change(accountId, home.changes, home.floorId, options.now)
  if (options.isBack) await homes.wake(accountId, options.now)
}
