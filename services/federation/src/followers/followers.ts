import type { OutgoingDefinition } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Client } from '@rookery/rpc'
import type { FederationTables } from '../database/schema.ts'
import { ownCall } from '../own-call.ts'
import { readPlaces } from './follower.store.ts'
import { digestOf, synchronisationHeader } from './synchronisation.rules.ts'

/** The remote followers of local accounts, by host (FEP-8fcf). */
export type Followers = {
  /** The actor uris of the followers on one host. */
  at(accountId: string, host: string): Promise<string[]>
  /** The value of Collection-Synchronization for a delivery to a host. `actor` is the id of the sender. */
  headerFor(sender: { accountId: string; actor: string }, host: string): Promise<string>
}

const PAGE = 5000
/** TTL of cached digests, in milliseconds, long enough for the deliveries of one status; and the maximum number of cached accounts. */
const KEPT = 30_000
const MAX_KEPT = 100

type Digests = ReadonlyMap<string, string>

export const createFollowers = ({
  database,
  outgoing,
}: {
  database: Database<FederationTables>
  outgoing: Client<OutgoingDefinition>
}): Followers => {
  const kept = new Map<string, { readonly digests: Promise<Digests>; readonly at: number }>()

  /** The actor uris of an account's followers, by host. */
  const byHost = async (accountId: string): Promise<Map<string, string[]>> => {
    const hosts = new Map<string, string[]>()
    for (let afterId = ''; ; ) {
      const { ids, lastId } = await outgoing.readRemoteFollowers(ownCall(), { accountId, afterId, limit: PAGE })
      for (const { uri, domain } of await readPlaces(database, { accountIds: ids })) {
        const uris = hosts.get(domain)
        if (uris) uris.push(uri)
        else hosts.set(domain, [uri])
      }
      if (lastId === '') return hosts
      afterId = lastId
    }
  }

  const digestsOf = (accountId: string): Promise<Digests> => {
    const known = kept.get(accountId)
    if (known && performance.now() - known.at < KEPT) return known.digests
    const digests = byHost(accountId).then((hosts) => new Map([...hosts].map(([host, uris]) => [host, digestOf(uris)])))
    kept.delete(accountId)
    kept.set(accountId, { digests, at: performance.now() })
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!)
    digests.catch(() => kept.delete(accountId))
    return digests
  }

  return {
    at: async (accountId, host) => (await byHost(accountId)).get(host) ?? [],
    async headerFor({ accountId, actor }, host) {
      const digest = (await digestsOf(accountId)).get(host) ?? digestOf([])
      return synchronisationHeader({ collectionId: `${actor}/followers`, url: `${actor}/followers_synchronization`, digest })
    },
  }
}
