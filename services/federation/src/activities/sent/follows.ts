import { payloadOf, renderAct } from '../../vocabulary/index.ts'
import { acceptOf, rejectOf } from './answer-follow.ts'
import { pairOf, type Sends, type SentDeps } from './deps.ts'

const FOLLOW = 'follow'

/** A local account requests to follow a remote one. */
export const followRequested =
  (deps: SentDeps): Sends<'followRequested'> =>
  async ({ id, event }) => {
    const { accountId, targetId } = event.value
    const pair = await pairOf(deps, accountId, targetId)
    if (!pair) return []
    const { local, remote } = pair
    const uri = `${local.uri}#follows/${id}`
    await deps.acts.keep({ uri, kind: FOLLOW, accountId, subjectId: targetId })
    await deps.readPins(remote.uri)
    const follow = renderAct('Follow', { id: uri, actor: local.uri, object: remote.uri, to: [remote.uri] })
    return [{ ...payloadOf(follow), senderId: accountId, accountIds: [targetId] }]
  }

/** Undoes a follow of a remote account, recorded or not; `id` makes the activity id unique. */
export const undoFollow = async (deps: SentDeps, { id, accountId, targetId }: { id: string; accountId: string; targetId: string }) => {
  const pair = await pairOf(deps, accountId, targetId)
  if (!pair) return []
  const { local, remote } = pair
  const act = { kind: FOLLOW, accountId, subjectId: targetId } as const
  const uri = (await deps.acts.uriOf(act)) ?? `${local.uri}#follows/${targetId}`
  const follow = { id: uri, type: 'Follow', actor: local.uri, object: remote.uri }
  const undo = renderAct('Undo', { id: `${local.uri}#unfollows/${id}`, actor: local.uri, to: [remote.uri], object: follow })
  return [{ ...payloadOf(undo), senderId: accountId, accountIds: [targetId], endsFollow: true }]
}

/** A local account withdraws a request to follow a remote one. */
export const followRequestWithdrawn =
  (deps: SentDeps): Sends<'followRequestWithdrawn'> =>
  ({ id, event }) =>
    undoFollow(deps, { id, ...event.value })

/** A local account unfollows a remote one. */
export const accountUnfollowed =
  (deps: SentDeps): Sends<'accountUnfollowed'> =>
  ({ id, event }) =>
    undoFollow(deps, { id, ...event.value })

/** The follow of a remote account, as received; a follow without a recorded id gets one of ours. */
const receivedFollow = async (deps: SentDeps, accountId: string, targetId: string) => {
  const pair = await pairOf(deps, targetId, accountId)
  if (!pair) return undefined
  const { local, remote } = pair
  const uri = (await deps.acts.uriOf({ kind: FOLLOW, accountId, subjectId: targetId })) ?? `${local.uri}#followers/${accountId}`
  return { uri, actor: remote.uri, target: local.uri }
}

/** A remote account now follows a local one. */
export const accountFollowed =
  (deps: SentDeps): Sends<'accountFollowed'> =>
  async ({ event }) => {
    const { accountId, targetId } = event.value
    const follow = await receivedFollow(deps, accountId, targetId)
    return follow ? [{ ...acceptOf(follow), senderId: targetId, accountIds: [accountId] }] : []
  }

/** A local account rejected a follow request of a remote one, or removed it as a follower. */
export const followRefused =
  (deps: SentDeps): Sends<'followRefused'> =>
  async ({ event }) => {
    const { accountId, targetId } = event.value
    const follow = await receivedFollow(deps, accountId, targetId)
    return follow ? [{ ...rejectOf(follow), senderId: targetId, accountIds: [accountId], endsFollow: true }] : []
  }
