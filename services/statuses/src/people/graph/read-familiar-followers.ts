import type { FamiliarFollowers } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { readFamiliarRows } from './familiar-followers.store.ts'

/** Maximum accounts per call, and followers shown of each. */
const MAX_ACCOUNTS = 20
const MAX_FOLLOWERS = 40

/** The followers of each account whom the viewer follows (beyond-the-spec 1.16); two statements with a warm cache, three with a cold one. */
export const readFamiliarFollowers =
  ({ database, views }: { database: Database<StatusesTables>; views: Views }) =>
  async (viewerId: string, accountIds: readonly string[]): Promise<FamiliarFollowers[]> => {
    const wanted = [...new Set(accountIds)].slice(0, MAX_ACCOUNTS)
    const rows = await readFamiliarRows(database, { viewerId, accountIds: wanted, limit: MAX_FOLLOWERS })
    const accounts = await views.accounts([...new Set(rows.flatMap(({ followerIds }) => followerIds))])
    const byId = new Map(accounts.map((account) => [account.id, account]))
    return rows.map(({ id, followerIds }) => ({ id, accounts: followerIds.flatMap((followerId) => byId.get(followerId) ?? []) }))
  }
