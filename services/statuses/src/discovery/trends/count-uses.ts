import { type Database, type Tx, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { notePublishers } from './publisher.store.ts'
import { HALF_LIVES, nextPeak, rankOf } from './trend.rules.ts'
import { type RankedPeak, readPeaks, type StoredPeak, writePeaks } from './trend.store.ts'
import { countUses, DAYS_AT_ONCE, takePending, type Used } from './use.store.ts'

type Deps = { database: Database<StatusesTables>; clock: Clock; config: { trends: { minAccounts: number } } }

const peakOf = ({ peak, peakedAt }: StoredPeak) => (peak === null || !peakedAt ? undefined : { score: peak, at: peakedAt.getTime() })

/** The new peaks of tags and links whose counters changed, if they differ. */
const changedPeaks = (stored: readonly StoredPeak[], now: number, minAccounts: number): RankedPeak[] =>
  stored.flatMap((each) => {
    const { kind, key, days } = each
    const former = peakOf(each)
    const next = nextPeak({ peak: former, accountsOn: (day) => days?.[day] ?? 0, now, minAccounts })
    if (next?.score === former?.score && next?.at === former?.at) return []
    return [
      next
        ? { kind, key, peak: next.score, peakedAt: new Date(next.at), rank: rankOf(next, HALF_LIVES[kind]) }
        : { kind, key, peak: null, peakedAt: null, rank: -Infinity },
    ]
  })

const distinct = (used: readonly Used[]): Used[] => [...new Map(used.map((each) => [`${each.kind} ${each.key}`, each])).values()]

const rankUsed = async (tx: Tx<StatusesTables>, used: readonly Used[], { clock, config }: Deps): Promise<void> => {
  if (used.length === 0) return
  const stored = await readPeaks(tx, { kinds: used.map(({ kind }) => kind), keys: used.map(({ key }) => key) })
  const peaks = changedPeaks(stored, clock.now(), config.trends.minAccounts)
  if (peaks.length === 0) return
  const column = <Name extends keyof RankedPeak>(name: Name) => peaks.map((peak) => peak[name])
  await writePeaks(tx, {
    kind: column('kind'),
    key: column('key'),
    peak: column('peak'),
    peakedAt: column('peakedAt'),
    rank: column('rank'),
  })
  const digests = peaks.flatMap(({ kind, key, peak }) => (kind === 'link' && peak !== null ? [key] : []))
  if (digests.length > 0) await notePublishers(tx, { digests, now: new Date(clock.now()) })
}

/**
 * Counts the uses of tags and links on the marked days, and ranks those whose counters changed. Each batch is a transaction that also deletes its
 * marks, so that a kill leaves the marks. Counting is idempotent.
 */
export const countPendingUses =
  (deps: Deps) =>
  async (signal?: AbortSignal): Promise<void> => {
    for (let taken = DAYS_AT_ONCE; taken === DAYS_AT_ONCE; ) {
      signal?.throwIfAborted()
      taken = await transact(deps.database.db, async (tx) => {
        const pending = await takePending(tx, { limit: DAYS_AT_ONCE })
        if (pending.length === 0) return 0
        const [accountIds, days] = [pending.map(({ accountId }) => accountId), pending.map(({ day }) => day)]
        await rankUsed(tx, distinct(await countUses(tx, { accountIds, days })), deps)
        return pending.length
      })
    }
  }
