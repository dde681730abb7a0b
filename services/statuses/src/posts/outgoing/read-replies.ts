import type { CollectionPart, ReadOutgoingRequest } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { readOpenReplies, readStatusPlaces } from './outgoing.store.ts'
import { placesOn } from './places.ts'

type Deps = { database: Database<StatusesTables>; views: Views; baseUrl: string }

const MAX_REPLIES = 100
const EMPTY: CollectionPart = { total: 0, items: [], nextMaxId: '' }

/** The oldest public and unlisted replies to a local status; none if the asker may not see the status. */
export const readReplies =
  ({ database, views, baseUrl }: Deps) =>
  async ({ id, askerId }: ReadOutgoingRequest): Promise<CollectionPart> => {
    const places = placesOn(baseUrl)
    const [place] = await readStatusPlaces(database, { ids: [id] })
    if (!place?.isLocal || (await views.visibleIds(askerId, [id], 'direct')).length === 0) return EMPTY
    const items = (await readOpenReplies(database, { statusId: id, limit: MAX_REPLIES })).map((reply) => places.status(reply))
    return { total: items.length, items, nextMaxId: '' }
  }
