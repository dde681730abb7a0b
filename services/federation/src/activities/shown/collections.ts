import type { Actor } from '@rookery/contracts/statuses'
import type { CollectionRequest, JsonObject } from '../../contract.ts'
import { ownCall } from '../../own-call.ts'
import { hashtag, type Places, renderCollection, renderPage, renderPublication } from '../../vocabulary/index.ts'
import type { ActivityClients } from '../clients.ts'

type Kind = CollectionRequest['kind']

const PAGE = 20

/** Short collections, rendered whole in one document. */
const WHOLE = new Set<Kind>(['featured', 'featuredTags'])
/** Collections that an account may hide, except for their size. */
const OF_PEOPLE = new Set<Kind>(['followers', 'following'])

/** Renders the collections of an actor: the total, all items of a short one, or a page. Undefined for a page of a hidden one. */
export const showCollections = ({ at, statuses: { outgoing } }: { at: Places; statuses: Pick<ActivityClients, 'outgoing'> }) => {
  const read = (accountId: string, kind: Kind, { maxId, limit }: { maxId: string; limit: number }) =>
    outgoing.readCollection(ownCall(), { accountId, kind: kind === 'featuredTags' ? 'featured_tags' : kind, maxId, limit })

  /** The outbox holds activities and featuredTags holds tags; the other collections hold ids. */
  const itemsOf = async (kind: Kind, ids: readonly string[], askerId: string): Promise<readonly unknown[]> => {
    if (kind === 'featuredTags') return ids.map((name) => hashtag(name, at))
    if (kind !== 'outbox') return ids
    const found = await Promise.all(ids.map((id) => outgoing.readStatus(ownCall(), { id, askerId })))
    return found.flatMap((answer) => answer.statuses.map((status) => renderPublication(status, at)))
  }

  return async (actor: Actor, { kind, isPage, maxId, askerId }: CollectionRequest): Promise<JsonObject | undefined> => {
    const id = at[kind](actor.username)
    const isHidden = actor.hideCollections === true && OF_PEOPLE.has(kind)
    if (isPage) {
      if (isHidden) return undefined
      const { items, nextMaxId } = await read(actor.id, kind, { maxId, limit: PAGE })
      return renderPage({ id, maxId, items: await itemsOf(kind, items, askerId), next: nextMaxId })
    }
    if (WHOLE.has(kind)) {
      const { items } = await read(actor.id, kind, { maxId: '', limit: PAGE })
      return { id, type: 'OrderedCollection', totalItems: items.length, orderedItems: await itemsOf(kind, items, askerId) }
    }
    const { total } = await read(actor.id, kind, { maxId: '', limit: 0 })
    return renderCollection({ id, total, hasPages: !isHidden })
  }
}
