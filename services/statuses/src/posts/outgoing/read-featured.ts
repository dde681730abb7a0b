import type { CollectionPart } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import { readFeaturedPlaces } from './outgoing.store.ts'
import { placesOn } from './places.ts'

/** The pinned statuses of a local account that everyone may see, latest first. */
export const readFeatured =
  ({ database, baseUrl }: { database: Database<StatusesTables>; baseUrl: string }) =>
  async ({ accountId }: { accountId: string }): Promise<CollectionPart> => {
    const places = placesOn(baseUrl)
    const items = (await readFeaturedPlaces(database, { accountId })).map((status) => places.status(status))
    return { total: items.length, items, nextMaxId: '' }
  }
