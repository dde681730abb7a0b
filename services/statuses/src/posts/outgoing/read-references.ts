import type { ReadReferencesRequest, ReferenceList } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import { readAccountPlaces, readStatusPlaces } from './outgoing.store.ts'
import { placesOn } from './places.ts'

/** The uris of local or remote accounts and statuses; deleted ones are left out. At most two statements. */
export const readReferences =
  ({ database, baseUrl }: { database: Database<StatusesTables>; baseUrl: string }) =>
  async ({ accountIds, statusIds }: ReadReferencesRequest): Promise<ReferenceList> => {
    const places = placesOn(baseUrl)
    const [accounts, statuses] = await Promise.all([
      accountIds.length > 0 ? readAccountPlaces(database, { ids: [...new Set(accountIds)] }) : [],
      statusIds.length > 0 ? readStatusPlaces(database, { ids: [...new Set(statusIds)] }) : [],
    ])
    return {
      accounts: accounts.map((account) => ({
        id: account.id,
        uri: places.actor(account),
        isLocal: account.domain === null,
        username: account.username,
      })),
      statuses: statuses.map((status) => ({
        id: status.id,
        uri: places.status(status, status.isBoost),
        authorId: status.authorId,
        isLocal: status.isLocal,
      })),
    }
  }
