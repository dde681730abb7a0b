import type { Actor } from '@rookery/contracts/statuses'
import type { CollectionRequest, Documents, JsonObject, Wire } from '../../contract.ts'
import { ownCall } from '../../own-call.ts'
import {
  hashtag,
  type Places,
  renderActor,
  renderCollection,
  renderCount,
  renderNote,
  renderPage,
  renderPublication,
  renderQuoteAuthorization,
  renderServerActor,
  withContext,
} from '../../vocabulary/index.ts'
import type { ActivityClients } from '../clients.ts'

export type DocumentsDeps = Pick<Wire, 'publicKeyOf' | 'followersAt'> & { at: Places; statuses: ActivityClients }

const PAGE = 20
const MAX_REPLIES = 60

/** What other servers may read of this one: people, statuses, and the collections of both. */
export const createDocuments = ({ at, statuses, publicKeyOf, followersAt }: DocumentsDeps): Documents => {
  const { outgoing } = statuses
  const personOf = async (username: string): Promise<Actor | undefined> =>
    (await outgoing.readActors(ownCall(), { usernames: [username] })).actors[0]
  const statusOf = async ({ username, id, askerId }: { username: string; id: string; askerId: string }) => {
    const status = (await outgoing.readStatus(ownCall(), { id, askerId })).statuses[0]
    return status?.authorUsername.toLowerCase() === username.toLowerCase() ? status : undefined
  }

  const addressOf = {
    outbox: at.outbox,
    followers: at.followers,
    following: at.following,
    featured: at.featured,
    featuredTags: at.featuredTags,
  }
  /** As statuses calls them. */
  const storedKind = (kind: CollectionRequest['kind']) => (kind === 'featuredTags' ? 'featured_tags' : kind)
  /** The outbox holds activities, the featured tags hold tags; the other collections hold ids. */
  const itemsOf = async (kind: CollectionRequest['kind'], ids: readonly string[]): Promise<readonly unknown[]> => {
    if (kind === 'featuredTags') return ids.map((name) => hashtag(name, at))
    if (kind !== 'outbox') return ids
    const found = await Promise.all(ids.map((id) => outgoing.readStatus(ownCall(), { id })))
    return found.flatMap((answer) => answer.statuses.map((status) => renderPublication(status, at)))
  }
  const collection = async ({ username, kind, isPage, maxId }: CollectionRequest): Promise<JsonObject | undefined> => {
    const actor = await personOf(username)
    if (!actor) return undefined
    const id = addressOf[kind](actor.username)
    const isKeptBack = actor.hideCollections === true && (kind === 'followers' || kind === 'following')
    const isWhole = kind === 'featured' || kind === 'featuredTags'
    if (!isPage || isKeptBack) {
      const part = await outgoing.readCollection(ownCall(), {
        accountId: actor.id,
        kind: storedKind(kind),
        maxId: '',
        limit: isWhole ? PAGE : 0,
      })
      const whole = { id, type: 'OrderedCollection', totalItems: part.items.length, orderedItems: await itemsOf(kind, part.items) }
      return isPage ? undefined : isWhole ? whole : renderCollection({ id, total: part.total, hasPages: !isKeptBack })
    }
    const part = await outgoing.readCollection(ownCall(), { accountId: actor.id, kind: storedKind(kind), maxId, limit: PAGE })
    return renderPage({ id, maxId, items: await itemsOf(kind, part.items), next: part.nextMaxId })
  }

  const inContext = (document: JsonObject | undefined) => document && withContext(document)
  return {
    renderServerActor: async () => withContext(renderServerActor(at, await publicKeyOf(''))),
    async renderActor(username) {
      const actor = await personOf(username)
      return inContext(actor && renderActor(actor, { at, publicKeyPem: await publicKeyOf(actor.id) }))
    },
    renderCollection: async (request) => inContext(await collection(request)),
    async renderStatus(request) {
      const status = await statusOf(request)
      return inContext(status && !status.reblogOfUri ? renderNote(status, at) : undefined)
    },
    async renderActivity(request) {
      const status = await statusOf(request)
      return inContext(status && renderPublication(status, at))
    },
    async renderQuoteAuthorization({ username, id }) {
      const [found] = (await outgoing.readQuoteAuthorization(ownCall(), { statusId: id })).authorizations
      const isOf = found?.authorUsername.toLowerCase() === username.toLowerCase()
      return inContext(found && isOf ? renderQuoteAuthorization(found) : undefined)
    },
    async renderFollowersAt({ username, host }) {
      const actor = await personOf(username)
      if (!actor) return undefined
      const id = at.followersSynchronisation(actor.username)
      return inContext({ id, type: 'OrderedCollection', orderedItems: await followersAt(actor.id, host) })
    },
    async renderReplies(request) {
      const status = await statusOf(request)
      if (!status || status.reblogOfUri) return undefined
      const { items } = await outgoing.readReplies(ownCall(), { id: request.id, askerId: request.askerId })
      const id = `${status.uri}/replies`
      const page = { id: `${id}?page=true`, type: 'CollectionPage', partOf: id, items: items.slice(0, MAX_REPLIES) }
      return inContext(request.isPage ? page : { id, type: 'Collection', first: page })
    },
    async renderCounts({ kind, ...request }) {
      const status = await statusOf(request)
      if (!status || status.reblogOfUri) return undefined
      return inContext(renderCount(`${status.uri}/${kind}`, kind === 'likes' ? status.favouritesCount : status.reblogsCount))
    },
  }
}
