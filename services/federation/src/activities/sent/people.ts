import type { Actor } from '@rookery/contracts/statuses'
import type { Outbound } from '../../contract.ts'
import { ownCall } from '../../own-call.ts'
import { PUBLIC, renderAct, renderActor, renderActorDelete, renderFlag, renderProfileUpdate } from '../../vocabulary/index.ts'
import { payloadOf } from './answer-follow.ts'
import { followersOf, references, type Sends, type SentDeps } from './deps.ts'

type Version = {
  /** Tells one update from another. */
  version: string
  /** It goes to all servers that are known. */
  isForAll?: boolean
}

/** The followers elsewhere of a person, and the accounts that their profile says are the same person: one of those may be about to move here. */
const profileReaders = async (deps: SentDeps, { id, alsoKnownAs }: Actor): Promise<string[]> => {
  const aliases = await deps.actors.knownByUris(alsoKnownAs)
  return [...new Set([...(await followersOf(deps, id)), ...aliases.flatMap((alias) => alias.accountId || [])])]
}

/** A profile as it is now, to those elsewhere who read it. Nothing for who is closed. */
export const profileUpdate = async (deps: SentDeps, accountId: string, { version, isForAll }: Version): Promise<readonly Outbound[]> => {
  const [actor] = (await deps.statuses.outgoing.readActors(ownCall(), { ids: [accountId], withSuspended: true })).actors
  if (!actor) return []
  const rendered = renderActor(actor, { at: deps.at, publicKeyPem: await deps.publicKeyOf(accountId) })
  const readers = isForAll ? { inboxes: await deps.knownInboxes() } : { accountIds: await profileReaders(deps, actor) }
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

/** Someone here is elsewhere now: their followers elsewhere follow them there. */
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
 * Someone here is gone with all they said. Every server that is known may have some of it, and who followed them is being forgotten: all are
 * told, which names no more than who is gone.
 */
export const accountClosed =
  (deps: SentDeps): Sends<'accountClosed'> =>
  async ({ event }) => {
    const { accountId, username } = event.value
    return [{ ...payloadOf(renderActorDelete(deps.at.actor(username))), senderId: accountId, inboxes: await deps.knownInboxes() }]
  }

/** A report of someone elsewhere, to their server; the server itself says it, so that its author stays unknown. */
export const reportForwarded =
  (deps: SentDeps): Sends<'reportForwarded'> =>
  async ({ id, event }) => {
    const { targetId, statusIds, comment } = event.value
    const found = await references(deps, { accountIds: [targetId], statusIds })
    const target = found.account(targetId)
    if (!target || target.isLocal) return []
    const objects = [target.uri, ...statusIds.flatMap((statusId) => found.status(statusId)?.uri ?? [])]
    const flag = renderFlag({ id: `${deps.at.instanceActor}#reports/${id}`, actor: deps.at.instanceActor, objects, comment })
    return [{ ...payloadOf(flag), senderId: '', accountIds: [targetId] }]
  }
