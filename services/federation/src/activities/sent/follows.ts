import { renderAct } from '../../vocabulary/index.ts'
import { acceptOf, payloadOf, rejectOf } from './answer-follow.ts'
import { pairOf, type Sends, type SentDeps } from './deps.ts'

const FOLLOW = 'follow'

/** Someone here asks to follow someone elsewhere. */
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

/** Takes back the follow of someone elsewhere, whether it is known here or not; `id` tells one activity from another. */
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

/** Someone here no longer asks to follow someone elsewhere. */
export const followRequestWithdrawn =
  (deps: SentDeps): Sends<'followRequestWithdrawn'> =>
  ({ id, event }) =>
    undoFollow(deps, { id, ...event.value })

/** Someone here no longer follows someone elsewhere. */
export const accountUnfollowed =
  (deps: SentDeps): Sends<'accountUnfollowed'> =>
  ({ id, event }) =>
    undoFollow(deps, { id, ...event.value })

/** The follow of someone elsewhere as it came; one whose id was not kept has an id of ours. */
const receivedFollow = async (deps: SentDeps, accountId: string, targetId: string) => {
  const pair = await pairOf(deps, targetId, accountId)
  if (!pair) return undefined
  const { local, remote } = pair
  const uri = (await deps.acts.uriOf({ kind: FOLLOW, accountId, subjectId: targetId })) ?? `${local.uri}#followers/${accountId}`
  return { uri, actor: remote.uri, target: local.uri }
}

/** Someone elsewhere follows someone here now. */
export const accountFollowed =
  (deps: SentDeps): Sends<'accountFollowed'> =>
  async ({ event }) => {
    const { accountId, targetId } = event.value
    const follow = await receivedFollow(deps, accountId, targetId)
    return follow ? [{ ...acceptOf(follow, deps.at), senderId: targetId, accountIds: [accountId] }] : []
  }

/** Someone here rejected the follow of someone elsewhere, or ended it. */
export const followRefused =
  (deps: SentDeps): Sends<'followRefused'> =>
  async ({ event }) => {
    const { accountId, targetId } = event.value
    const follow = await receivedFollow(deps, accountId, targetId)
    return follow ? [{ ...rejectOf(follow, deps.at), senderId: targetId, accountIds: [accountId], endsFollow: true }] : []
  }
