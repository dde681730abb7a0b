import { ownCall } from '../../own-call.ts'
import { type Activity, localName } from '../../vocabulary/index.ts'
import type { Act } from '../acts.store.ts'
import { boostedUri } from './announce.ts'
import { orRefused, type Receive, type Received, type ReceivedDeps } from './deps.ts'
import { createStatuses } from './keep-status.ts'
import { localPeople, localPerson } from './local-people.ts'

type UndoOne = (received: Received, undone: Activity) => Promise<void>

/** Takes back what an act with a known id did. */
const undoAct = async ({ statuses, acts }: ReceivedDeps, { kind, accountId, subjectId }: Act): Promise<void> => {
  const { graph, interactions } = statuses
  const viewerId = accountId
  if (kind === 'follow') await orRefused(graph.unfollow(ownCall(), { viewerId, accountId: subjectId }))
  if (kind === 'block') await orRefused(graph.unblock(ownCall(), { viewerId, accountId: subjectId }))
  if (kind === 'like') await orRefused(interactions.unfavourite(ownCall(), { viewerId, statusId: subjectId }))
  if (kind !== 'delete') await acts.forget({ kind, accountId, subjectId })
}

/**
 * Takes back an act of the actor's own. What is sent back says what it was: the ids of others differ, or were never kept (snac), so actor
 * and object count. Where only an id is sent, it is that of an act that is known, or of a boost.
 */
export const receiveUndo = (deps: ReceivedDeps): Receive => {
  const people = localPeople(deps)
  const known = createStatuses(deps)
  const { remoteStatuses, interactions } = deps.statuses

  const toPerson = (kind: 'follow' | 'block'): UndoOne => {
    return async ({ actor }, undone) => {
      const target = await localPerson(people, undone.object.uri)
      if (target) await undoAct(deps, { uri: '', kind, accountId: actor.accountId, subjectId: target.id })
    }
  }
  const like: UndoOne = async ({ actor }, undone) => {
    const subjectId = localName(deps.baseUrl, undone.object.uri)?.statusId
    if (subjectId) await undoAct(deps, { uri: '', kind: 'like', accountId: actor.accountId, subjectId })
  }
  const boost: UndoOne = async ({ actor }, undone) => {
    if (undone.id) await undoBoost(actor.accountId, undone.id)
    const statusId = await known.known(boostedUri(undone))
    if (statusId) await orRefused(interactions.unreblog(ownCall(), { viewerId: actor.accountId, statusId }))
  }
  const undoBoost = async (authorId: string, uri: string) => {
    await deps.acts.keep({ uri, kind: 'delete', accountId: authorId, subjectId: '0' })
    await orRefused(remoteStatuses.delete(ownCall(), { uri, authorId }))
  }

  const byType = new Map<string, UndoOne>([
    ['Follow', toPerson('follow')],
    ['Block', toPerson('block')],
    ['Like', like],
    ['EmojiReact', like],
    ['Announce', boost],
  ])

  return async (received) => {
    const { activity, actor } = received
    const { activity: undone, uri } = activity.object
    if (undone) {
      if (undone.actor === actor.uri) await byType.get(undone.type)?.(received, undone)
      return
    }
    const act = await deps.acts.byUri(uri)
    if (act?.accountId === actor.accountId && act.kind !== 'delete') await undoAct(deps, act)
    else if (!act && uri) await undoBoost(actor.accountId, uri)
  }
}
