import type { CollectionPart, ReadCollectionRequest } from '@rookery/contracts/statuses'
import { type Database, MAX_ID } from '@rookery/database'
import { invalid } from '@rookery/failures'
import type { StatusesTables } from '../../database/schema.ts'
import { placesOn, readFeatured, readOutbox } from '../../posts/outgoing/index.ts'
import { readActorRows, readCircle, readFollowers, readFollowing } from './actor.store.ts'

type Deps = { database: Database<StatusesTables>; baseUrl: string }

/** Maximum items per part. */
const MAX_PART = 80
const EMPTY: CollectionPart = { total: 0, items: [], nextMaxId: '' }

const CIRCLES = { followers: readFollowers, following: readFollowing } as const

/** Followers or follows: their number, and the accounts unless they are hidden. */
const circle =
  ({ database, baseUrl }: Deps, kind: keyof typeof CIRCLES) =>
  async ({ accountId, maxId, limit }: ReadCollectionRequest): Promise<CollectionPart> => {
    const [known] = await readCircle(database, { accountId })
    if (!known) return EMPTY
    const wanted = known.areHidden ? 0 : Math.min(limit, MAX_PART)
    const rows = wanted > 0 ? await CIRCLES[kind](database, { accountId, below: maxId || MAX_ID, limit: wanted }) : []
    const isFull = wanted > 0 && rows.length === wanted
    return { total: known[kind], items: rows.map(placesOn(baseUrl).actor), nextMaxId: isFull ? (rows.at(-1)?.cursor ?? '') : '' }
  }

const featuredTags =
  ({ database }: Deps) =>
  async ({ accountId }: ReadCollectionRequest): Promise<CollectionPart> => {
    const [actor] = await readActorRows(database, { ids: [accountId], usernames: [], withSuspended: false })
    const items = actor?.featuredTags ?? []
    return { total: items.length, items, nextMaxId: '' }
  }

/**
 * A part of a collection of a local account, latest first: outbox, followers, follows, pinned statuses, featured tags.
 * @throws Failure invalid for an unknown kind
 */
export const readCollection = (deps: Deps) => {
  const kinds = new Map<string, (request: ReadCollectionRequest) => Promise<CollectionPart>>([
    ['outbox', readOutbox(deps)],
    ['followers', circle(deps, 'followers')],
    ['following', circle(deps, 'following')],
    ['featured', readFeatured(deps)],
    ['featured_tags', featuredTags(deps)],
  ])
  return (request: ReadCollectionRequest): Promise<CollectionPart> => {
    const read = kinds.get(request.kind)
    if (!read) throw invalid(`${request.kind} is no collection`)
    return read(request)
  }
}
