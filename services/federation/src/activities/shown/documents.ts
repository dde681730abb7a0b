import type { Actor, OutgoingStatus } from '@rookery/contracts/statuses'
import type { Documents, JsonObject, Wire } from '../../contract.ts'
import { ownCall } from '../../own-call.ts'
import {
  type Places,
  renderActor,
  renderCount,
  renderNote,
  renderPublication,
  renderQuoteAuthorization,
  renderServerActor,
  renderServerOutbox,
  withContext,
} from '../../vocabulary/index.ts'
import type { ActivityClients } from '../clients.ts'
import { showCollections } from './collections.ts'

type DocumentsDeps = Pick<Wire, 'publicKeyOf' | 'followersAt'> & { at: Places; statuses: ActivityClients }

type StatusDocuments = Pick<Documents, 'renderStatus' | 'renderActivity' | 'renderQuoteAuthorization' | 'renderReplies' | 'renderCounts'>

const MAX_REPLIES = 60

const inContext = (document: JsonObject | undefined) => document && withContext(document)

const isSameName = (one: string | undefined, other: string): boolean => one?.toLowerCase() === other.toLowerCase()

/** Renders local statuses, and the documents and collections that belong to them. */
const statusDocuments = ({ at, statuses: { outgoing } }: DocumentsDeps): StatusDocuments => {
  type Asked = { username: string; id: string; askerId: string }
  const statusOf = async ({ username, id, askerId }: Asked): Promise<OutgoingStatus | undefined> => {
    const status = (await outgoing.readStatus(ownCall(), { id, askerId })).statuses[0]
    return isSameName(status?.authorUsername, username) ? status : undefined
  }
  /** A boost is an activity, not an object. */
  const objectOf = async (asked: Asked): Promise<OutgoingStatus | undefined> => {
    const status = await statusOf(asked)
    return status?.reblogOfUri ? undefined : status
  }
  /** The public and unlisted replies to a status, in a single page, so that servers need no request besides the one for the status. */
  const repliesOf = async ({ id, askerId }: Asked, { uri }: OutgoingStatus) => {
    const { items } = await outgoing.readReplies(ownCall(), { id, askerId })
    const collection = `${uri}/replies`
    const first = { id: `${collection}?page=true`, type: 'CollectionPage', partOf: collection, items: items.slice(0, MAX_REPLIES) }
    return { id: collection, type: 'Collection', first }
  }
  return {
    async renderStatus(request) {
      const status = await objectOf(request)
      if (!status) return undefined
      const note = renderNote(status, at)
      return inContext(status.repliesCount > 0 ? { ...note, replies: await repliesOf(request, status) } : note)
    },
    async renderActivity(request) {
      const status = await statusOf(request)
      return inContext(status && renderPublication(status, at))
    },
    async renderQuoteAuthorization({ username, id }) {
      const [found] = (await outgoing.readQuoteAuthorization(ownCall(), { statusId: id })).authorizations
      return inContext(found && isSameName(found.authorUsername, username) ? renderQuoteAuthorization(found) : undefined)
    },
    async renderReplies(request) {
      const status = await objectOf(request)
      const replies = status && (await repliesOf(request, status))
      return inContext(request.isPage ? replies?.first : replies)
    },
    async renderCounts({ kind, ...request }) {
      const status = await objectOf(request)
      return inContext(status && renderCount(`${status.uri}/${kind}`, kind === 'likes' ? status.favouritesCount : status.reblogsCount))
    },
  }
}

/** The documents that other servers may read: accounts, statuses, and their collections. */
export const createDocuments = (deps: DocumentsDeps): Documents => {
  const { at, statuses, publicKeyOf, followersAt } = deps
  const showCollection = showCollections(deps)
  const personOf = async (username: string, withSuspended = false): Promise<Actor | undefined> =>
    (await statuses.outgoing.readActors(ownCall(), { usernames: [username], withSuspended })).actors[0]
  return {
    ...statusDocuments(deps),
    renderServerActor: async () => withContext(renderServerActor(at, await publicKeyOf(''))),
    renderServerOutbox: () => withContext(renderServerOutbox(at)),
    async renderActor(username) {
      const actor = await personOf(username, true)
      return inContext(actor && renderActor(actor, { at, publicKeyPem: await publicKeyOf(actor.id) }))
    },
    async renderCollection(request) {
      const actor = await personOf(request.username)
      return inContext(actor && (await showCollection(actor, request)))
    },
    async renderFollowersAt({ username, host }) {
      const actor = await personOf(username)
      if (!actor) return undefined
      const id = at.followersSynchronisation(actor.username)
      return inContext({ id, type: 'OrderedCollection', orderedItems: await followersAt(actor.id, host) })
    },
  }
}
