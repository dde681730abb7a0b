import type { Actor } from '@rookery/contracts/statuses'
import type { Outbound } from '../../contract.ts'
import { ownCall } from '../../own-call.ts'
import { PUBLIC, payloadOf, renderAct, renderActor, renderActorDelete, renderFlag, renderProfileUpdate } from '../../vocabulary/index.ts'
import { followersOf, references, type Sends, type SentDeps } from './deps.ts'

type Version = {
  /** Distinguishes the ids of updates. */
  version: string
  /** Whether it is sent to all known servers. */
  isForAll?: boolean
}

/** The remote followers of an account, and its aliases (`alsoKnownAs`), one of which may be about to move here. */
const profileReaders = async (deps: SentDeps, { id, alsoKnownAs }: Actor): Promise<string[]> => {
  const aliases = await deps.actors.knownByUris(alsoKnownAs)
  return [...new Set([...(await followersOf(deps, id)), ...aliases.flatMap((alias) => alias.accountId || [])])]
}

/** The Update of a profile, for its remote readers and relays. Nothing for a closed account. */
export const profileUpdate = async (deps: SentDeps, accountId: string, { version, isForAll }: Version): Promise<readonly Outbound[]> => {
  const [actor] = (await deps.statuses.outgoing.readActors(ownCall(), { ids: [accountId], withSuspended: true })).actors
  if (!actor) return []
  const rendered = renderActor(actor, { at: deps.at, publicKeyPem: await deps.publicKeyOf(accountId) })
  const readers = isForAll
    ? { inboxes: await deps.knownInboxes() }
    : { accountIds: await profileReaders(deps, actor), inboxes: await deps.relays.inboxes() }
  return [{ ...payloadOf(renderProfileUpdate(rendered, { version })), senderId: accountId, ...readers }]
}

export const profileChanged =
  (deps: SentDeps): Sends<'profileChanged'> =>
  ({ id, event }) =>
    profileUpdate(deps, event.value.accountId, { version: id, isForAll: event.value.isForAll })

const pin =
  (deps: SentDeps, type: 'Add' | 'Remove') =>
  async ({ id, event }: { id: string; event: { value: { accountId: string; statusId: string } } }) => {
    const { accountId, statusId } = event.value
    const found = await references(deps, { accountIds: [accountId], statusIds: [statusId] })
    const author = found.account(accountId)
    const status = found.status(statusId)
    if (!author?.isLocal || !status) return []
    const featured = deps.at.featured(author.username)
    const followers = deps.at.followers(author.username)
    const act = { id: `${author.uri}#pins/${id}`, actor: author.uri, to: [PUBLIC], cc: [followers], object: status.uri, target: featured }
    return [{ ...payloadOf(renderAct(type, act)), senderId: accountId, accountIds: await followersOf(deps, accountId) }]
  }

export const statusPinned = (deps: SentDeps): Sends<'statusPinned'> => pin(deps, 'Add')
export const statusUnpinned = (deps: SentDeps): Sends<'statusUnpinned'> => pin(deps, 'Remove')

/** The Move of a local account, for its remote followers. */
export const accountMoved =
  (deps: SentDeps): Sends<'accountMoved'> =>
  async ({ id, event }) => {
    const { accountId, targetId } = event.value
    const found = await references(deps, { accountIds: [accountId, targetId] })
    const old = found.account(accountId)
    const target = found.account(targetId)
    if (!old?.isLocal || !target) return []
    const followers = deps.at.followers(old.username)
    const move = renderAct('Move', { id: `${old.uri}#moves/${id}`, actor: old.uri, to: [followers], object: old.uri, target: target.uri })
    return [{ ...payloadOf(move), senderId: accountId, accountIds: await followersOf(deps, accountId) }]
  }

/**
 * The Delete of a closed account, for all known servers: any of them may have its posts, and its followers are being deleted. It contains only the
 * actor's uri.
 */
export const accountClosed =
  (deps: SentDeps): Sends<'accountClosed'> =>
  async ({ event }) => {
    const { accountId, username } = event.value
    return [{ ...payloadOf(renderActorDelete(deps.at.actor(username))), senderId: accountId, inboxes: await deps.knownInboxes() }]
  }

/**
 * The Flag of a remote account, for its server or those of the people whom its reported statuses answer. The server's own actor sends it, to keep the
 * reporter anonymous.
 */
export const reportForwarded =
  (deps: SentDeps): Sends<'reportForwarded'> =>
  async ({ id, event }) => {
    const { targetId, statusIds, comment, recipientIds } = event.value
    const found = await references(deps, { accountIds: [targetId], statusIds })
    const target = found.account(targetId)
    if (!target || target.isLocal) return []
    const objects = [target.uri, ...statusIds.flatMap((statusId) => found.status(statusId)?.uri ?? [])]
    const flag = renderFlag({ id: `${deps.at.instanceActor}#reports/${id}`, actor: deps.at.instanceActor, objects, comment })
    return [{ ...payloadOf(flag), senderId: '', accountIds: recipientIds.length > 0 ? recipientIds : [targetId] }]
  }
