import { type RemoteAccountCounts, RemoteAccountsDefinition, type RemoveRemoteEmojisRequest } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { Ids } from '@rookery/ids'
import { acknowledging, type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import { removeEmojisOfDomain } from '../../content/emojis/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { followRemoteMove } from './follow-remote-move.ts'
import { limitDomain } from './limit-domain.ts'
import { RemoteAccountWriter, readByHandle, readByUris, readLocalFollowers } from './remote-account.store.ts'
import { countsOf } from './remote-profile.rules.ts'
import { removeRemoteAccount } from './remove-remote-account.ts'
import { storeAccount } from './store-account.ts'

type Deps = Parameters<typeof storeAccount>[0] & {
  database: Database<StatusesTables>
  outbox: Outbox
  ids: Ids
  clock: Clock
  baseUrl: string
}

/** Maximum uris per call. */
const MAX_URIS = 1000
/** Maximum followers per call. */
const MAX_FOLLOWERS = 5000

/** Serves RemoteAccounts of the contract: remote accounts, for federation. */
export const createRemoteAccountsRpc = (deps: Deps): Handler => {
  const store = storeAccount(deps)
  return handler(RemoteAccountsDefinition, {
    store: (call, profile) => store(call, profile),
    readByUris: async (_call, { uris }) => ({ accounts: await readByUris(deps.database, { uris: uris.slice(0, MAX_URIS) }) }),
    readByHandle: async (_call, handle) => ({ accounts: await readByHandle(deps.database, handle) }),
    storeCounts: acknowledging(async ({ accountId, ...counts }: RemoteAccountCounts) => {
      await transact(deps.database.db, (tx) => new RemoteAccountWriter(tx).count(accountId, countsOf(counts)))
    }),
    readLocalFollowers: async (_call, { accountId, afterId, limit }) => {
      const wanted = Math.min(limit || MAX_FOLLOWERS, MAX_FOLLOWERS)
      const followers = await readLocalFollowers(deps.database, { accountId, after: afterId || '0', limit: wanted })
      return { followers, lastId: followers.length === wanted ? (followers.at(-1)?.id ?? '') : '' }
    },
    remove: acknowledging(removeRemoteAccount(deps)),
    move: acknowledging(followRemoteMove(deps)),
    limitDomain: acknowledging(limitDomain(deps)),
    removeEmojis: acknowledging(({ domain }: RemoveRemoteEmojisRequest) => removeEmojisOfDomain(deps.database, domain)),
  })
}
