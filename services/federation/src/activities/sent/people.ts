import type { Outbound } from '../../contract.ts'
import { ownCall } from '../../own-call.ts'
import { PUBLIC, renderAct, renderActor, renderActorDelete, renderFlag, renderProfileUpdate } from '../../vocabulary/index.ts'
import { payloadOf } from './answer-follow.ts'
import { followersOf, references, type Sends, type SentDeps } from './deps.ts'

/**
 * A profile as it is now, to the followers elsewhere, and to the servers of the accounts that it says are the same person: one of those may be about to
 * move here. Nothing for who is closed. `version` tells one update from another.
 */
export const profileUpdate = async (deps: SentDeps, accountId: string, version: string): Promise<readonly Outbound[]> => {
  const [actor] = (await deps.statuses.outgoing.readActors(ownCall(), { ids: [accountId], withSuspended: true })).actors
  if (!actor) return []
  const rendered = renderActor(actor, { at: deps.at, publicKeyPem: await deps.publicKeyOf(accountId) })
  const aliases = await deps.actors.knownByUris(actor.alsoKnownAs)
  const accountIds = [...new Set([...(await followersOf(deps, accountId)), ...aliases.flatMap((alias) => alias.accountId || [])])]
  return [{ ...payloadOf(renderProfileUpdate(rendered, { version })), senderId: accountId, accountIds }]
}

export const profileChanged =
  (deps: SentDeps): Sends<'profileChanged'> =>
  ({ id, event }) =>
    profileUpdate(deps, event.value.accountId, id)

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
