import { ownCall } from '../../own-call.ts'
import type { Activity } from '../../vocabulary/index.ts'
import { orRefused, type Receive, type Received, type ReceivedDeps } from './deps.ts'
import { localPeople, localPerson } from './local-people.ts'

/** The person of this server whose follow of the actor is answered: by the follow that is sent back, or by the id it had. */
const followerOf = (deps: ReceivedDeps) => {
  const people = localPeople(deps)
  return async ({ activity, actor }: Received): Promise<string | undefined> => {
    const follow: Activity | undefined = activity.object.activity
    if (follow) {
      if (follow.type !== 'Follow' || follow.object.uri !== actor.uri) return undefined
      return (await localPerson(people, follow.actor))?.id
    }
    const act = await deps.acts.byUri(activity.object.uri)
    return act?.kind === 'follow' && act.subjectId === actor.accountId ? act.accountId : undefined
  }
}

/** A follow of ours begins. One that was not asked for is none. */
export const receiveAccept = (deps: ReceivedDeps): Receive => {
  const follower = followerOf(deps)
  return async (received) => {
    const accountId = await follower(received)
    if (!accountId) return
    await orRefused(deps.statuses.graph.authorizeFollowRequest(ownCall(), { viewerId: received.actor.accountId, accountId }))
  }
}

/** A follow of ours is refused, or ended. */
export const receiveReject = (deps: ReceivedDeps): Receive => {
  const follower = followerOf(deps)
  const { graph } = deps.statuses
  return async (received) => {
    const accountId = await follower(received)
    if (!accountId) return
    const pair = { viewerId: received.actor.accountId, accountId }
    await orRefused(graph.rejectFollowRequest(ownCall(), pair))
    await orRefused(graph.removeFollower(ownCall(), pair))
  }
}
