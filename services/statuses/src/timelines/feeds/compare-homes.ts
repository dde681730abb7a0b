import { type Database, MAX_ID, type Tx, transact } from '@rookery/database'
import { idAtTime } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { readBelonging } from './belonging.store.ts'
import { type Difference, differenceOf } from './feed.rules.ts'
import { FeedWriter } from './feed.store.ts'
import { HomeWriter } from './home-writer.store.ts'
import { refreshHome } from './refresh-home.ts'

type Deps = { database: Database<StatusesTables>; clock: Clock }

/** Events younger than this may still be in progress, in milliseconds: their entries are not missing yet. */
const UNDER_WAY = 60_000

/** The difference between a stored home and the rule. The caller must hold the claim on feeds. */
const compare = async (tx: Tx<StatusesTables>, accountId: string, clock: Clock): Promise<Difference> => {
  const stored = await new HomeWriter(tx).read(accountId)
  if (!stored || stored.isResting) return { missing: 0, unwanted: 0 }
  const now = clock.now()
  const above = String(BigInt(stored.floorId) - 1n)
  const wanted = {
    below: MAX_ID,
    above: above === '-1' ? '0' : above,
    count: Number.MAX_SAFE_INTEGER,
    order: 'desc',
    now: new Date(now),
  } as const
  const { entries } = await readBelonging(tx, accountId, wanted, 'written')
  const there = new Set(stored.entries.map(({ statusId }) => statusId))
  const young = BigInt(idAtTime(now - UNDER_WAY))
  const belonging = entries.filter(({ statusId }) => there.has(statusId) || BigInt(statusId) < young).reverse()
  return differenceOf({ stored: stored.entries, isWhole: stored.floorId === '0' }, belonging)
}

/** The result of comparing a home. */
type ComparedHome = Difference & { accountId: string }

/**
 * Compares homes with the rule (beyond-the-spec 1.12), and with `repair` rebuilds those that differ. Entries count as missing once they are a minute
 * old.
 */
export const compareHomes =
  ({ database, clock }: Deps) =>
  async (accountIds: readonly string[], { repair }: { repair: boolean }): Promise<ComparedHome[]> => {
    const compared: ComparedHome[] = []
    for (const accountId of accountIds) {
      const difference = await transact(database.db, async (tx) => {
        await new FeedWriter(tx).claim()
        const found = await compare(tx, accountId, clock)
        if (repair && found.missing + found.unwanted > 0) await refreshHome(tx, accountId, { now: new Date(clock.now()) })
        return found
      })
      compared.push({ accountId, ...difference })
    }
    return compared
  }
