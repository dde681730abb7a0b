import type { RemoteActor } from '../../contract.ts'
import { isSameHost } from '../../host.rules.ts'
import { ownCall } from '../../own-call.ts'
import { type Activity, localName } from '../../vocabulary/index.ts'
import type { Act } from '../acts.store.ts'
import { boostedUri } from './announce.ts'
import { isBan } from './block.ts'
import { orRefused, type Receive, type Received, type ReceivedDeps } from './deps.ts'
import { createStatuses } from './keep-status.ts'
import { localPeople, localPerson } from './local-people.ts'

type UndoOne = (received: Received, undone: Activity) => Promise<void>

/** Undoes a recorded act. */
const undoAct = async ({ statuses, acts }: ReceivedDeps, { kind, accountId, subjectId }: Act): Promise<void> => {
  const { graph, interactions } = statuses
  const viewerId = accountId
  if (kind === 'follow') await orRefused(graph.unfollow(ownCall(), { viewerId, accountId: subjectId }))
  if (kind === 'block') await orRefused(graph.unblock(ownCall(), { viewerId, accountId: subjectId }))
  if (kind === 'like') await orRefused(interactions.unfavourite(ownCall(), { viewerId, statusId: subjectId }))
  if (kind !== 'delete') await acts.forget({ kind, accountId, subjectId })
}

/** Whether an act is later than the undone one, which arrived under another id: its Undo is late. */
const isOfEarlier = async ({ acts }: ReceivedDeps, { context }: Received, { id }: Activity, did: Omit<Act, 'uri'>): Promise<boolean> => {
  const uri = await acts.uriOf(did)
  return uri !== undefined && id !== '' && uri !== id && context.hasArrived(id)
}

/**
 * Undoes an act of the actor. An embedded activity is matched by actor and object, because its id may differ or be unknown (snac). A bare
 * id refers to a recorded act or to a boost.
 */
export const receiveUndo = (deps: ReceivedDeps, reject: Receive): Receive => {
  const people = localPeople(deps, { withSuspended: true })
  const known = createStatuses(deps)
  const { remoteStatuses, interactions } = deps.statuses

  /** Records the id of an undone activity of the actor's server, so that the activity is ignored if it arrives later. */
  const remember = async ({ uri, accountId }: RemoteActor, undoneUri: string): Promise<void> => {
    if (isSameHost(undoneUri, uri)) await deps.acts.keep({ uri: undoneUri, kind: 'delete', accountId, subjectId: '0' })
  }
  const undoAny = async (actor: RemoteActor, undone: Activity, did: Omit<Act, 'uri'>): Promise<void> => {
    if ((await deps.acts.uriOf(did)) === undefined) await remember(actor, undone.id)
    await undoAct(deps, { uri: '', ...did })
  }
  const toPerson = (kind: 'follow' | 'block'): UndoOne => {
    return async (received, undone) => {
      const target = await localPerson(people, undone.object.uri)
      const did = { kind, accountId: received.actor.accountId, subjectId: target?.id ?? '' }
      if (target && !(await isOfEarlier(deps, received, undone, did))) await undoAny(received.actor, undone, did)
    }
  }
  const like: UndoOne = async ({ actor }, undone) => {
    const subjectId = localName(deps.baseUrl, undone.object.uri)?.statusId
    if (subjectId) await undoAny(actor, undone, { kind: 'like', accountId: actor.accountId, subjectId })
  }
  const boost: UndoOne = async ({ actor }, undone) => {
    if (undone.id) await undoBoost(actor, undone.id)
    const statusId = await known.known(boostedUri(undone))
    if (statusId) await orRefused(interactions.unreblog(ownCall(), { viewerId: actor.accountId, statusId }))
  }
  const undoBoost = async (actor: RemoteActor, uri: string) => {
    await remember(actor, uri)
    await orRefused(remoteStatuses.delete(ownCall(), { uri, authorId: actor.accountId }))
  }

  const byType = new Map<string, UndoOne>([
    ['Follow', toPerson('follow')],
    ['Block', toPerson('block')],
    ['Like', like],
    ['EmojiReact', like],
    ['Announce', boost],
    // Undoing an Accept ends the follow, like a later Reject.
    ['Accept', (received, undone) => reject({ ...received, activity: undone })],
  ])

  return async (received) => {
    const { activity, actor } = received
    const { activity: undone, uri } = activity.object
    if (undone) {
      if (undone.actor === actor.uri && !isBan(undone)) await byType.get(undone.type)?.(received, undone)
      return
    }
    const act = await deps.acts.byUri(uri)
    if (act?.accountId === actor.accountId && act.kind !== 'delete') await undoAct(deps, act)
    else if (!act && uri) await undoBoost(actor, uri)
  }
}
