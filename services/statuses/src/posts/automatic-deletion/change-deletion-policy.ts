import type { DeletionPolicy } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { StatusesTables } from '../../database/schema.ts'
import { checkedPolicy, NO_DELETION } from './deletion-policy.rules.ts'
import { readPolicy, writePolicy } from './deletion-policy.store.ts'

type Deps = { database: Database<StatusesTables>; clock: Clock }

const DAY = 86_400_000

/** The policy by which old statuses of an account are deleted. */
export const readDeletionPolicy =
  ({ database }: Pick<Deps, 'database'>) =>
  async (accountId: string): Promise<DeletionPolicy> => {
    const [row] = await readPolicy(database, { accountId })
    if (!row) return NO_DELETION
    const { accountId: _account, afterId: _after, dueAt: _due, minFavourites, minBoosts, ...policy } = row
    return { ...policy, minFavourites: minFavourites ?? undefined, minBoosts: minBoosts ?? undefined }
  }

/** Changes the policy. It takes effect after a day, in which a mistake can be corrected. @throws Failure invalid */
export const changeDeletionPolicy =
  ({ database, clock }: Deps) =>
  async (accountId: string, policy: DeletionPolicy): Promise<DeletionPolicy> => {
    const checked = checkedPolicy(policy)
    await transact(database.db, (tx) => writePolicy(tx, { accountId, policy: checked, dueAt: new Date(clock.now() + DAY) }))
    return checked
  }
