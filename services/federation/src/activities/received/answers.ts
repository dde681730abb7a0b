import { isSameHost } from '../../host.rules.ts'
import { ownCall } from '../../own-call.ts'
import { type Activity, localName } from '../../vocabulary/index.ts'
import { QUOTE_REQUEST } from '../sent/quotes.ts'
import { orRefused, type Receive, type Received, type ReceivedDeps } from './deps.ts'
import { localPeople, localPerson } from './local-people.ts'

/**
 * The person of this server whose follow of the actor is answered: by the follow that is sent back, or by the id it had, as some servers send it back
 * with other addresses of the two.
 */
const followerOf = (deps: ReceivedDeps) => {
  const people = localPeople(deps)
  const bySentBack = async (follow: Activity | undefined, actorUri: string): Promise<string | undefined> =>
    follow?.type === 'Follow' && follow.object.uri === actorUri ? (await localPerson(people, follow.actor))?.id : undefined
  const byId = async (uri: string, subjectId: string): Promise<string | undefined> => {
    const act = await deps.acts.byUri(uri)
    return act?.kind === 'follow' && act.subjectId === subjectId ? act.accountId : undefined
  }
  return async ({ activity: { object }, actor }: Received): Promise<string | undefined> =>
    (await bySentBack(object.activity, actor.uri)) ?? byId(object.uri, actor.accountId)
}

/** The status of this server whose quote is answered: by the request that is sent back, or by the id that it had. */
const quotingUri = ({ object }: Activity): string => {
  const request = object.activity
  if (request) return request.type === 'QuoteRequest' ? request.instrument.uri || request.id : ''
  return object.uri.endsWith(QUOTE_REQUEST) ? object.uri : ''
}

/** The author of a status elsewhere approves or refuses that a status of this server quotes it; whether the answer was of this kind. */
const decideQuote =
  ({ baseUrl, statuses }: ReceivedDeps, isAccepted: boolean) =>
  async ({ activity, actor }: Received): Promise<boolean> => {
    const uri = quotingUri(activity)
    if (!uri) return false
    const statusId = localName(baseUrl, uri)?.statusId
    const isApproved = isAccepted && isSameHost(activity.result, actor.uri)
    if (!statusId || isApproved !== isAccepted) return true
    const decision = { authorId: actor.accountId, statusId, authorizationUri: activity.result, isAccepted }
    await orRefused(statuses.remoteStatuses.decideQuote(ownCall(), decision))
    return true
  }

/** A follow or quote of ours begins. One that was not asked for is none. */
export const receiveAccept = (deps: ReceivedDeps): Receive => {
  const follower = followerOf(deps)
  const approveQuote = decideQuote(deps, true)
  return async (received) => {
    if (await approveQuote(received)) return
    const accountId = await follower(received)
    if (!accountId) return
    await orRefused(deps.statuses.graph.authorizeFollowRequest(ownCall(), { viewerId: received.actor.accountId, accountId }))
  }
}

/** A follow or quote of ours is refused, or ended. */
export const receiveReject = (deps: ReceivedDeps): Receive => {
  const follower = followerOf(deps)
  const refuseQuote = decideQuote(deps, false)
  const { graph } = deps.statuses
  return async (received) => {
    if (await refuseQuote(received)) return
    const accountId = await follower(received)
    if (!accountId) return
    const pair = { viewerId: received.actor.accountId, accountId }
    await orRefused(graph.rejectFollowRequest(ownCall(), pair))
    await orRefused(graph.removeFollower(ownCall(), pair))
  }
}
