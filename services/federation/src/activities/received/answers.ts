import { isSameHost } from '../../host.rules.ts'
import { ownCall } from '../../own-call.ts'
import { type Activity, localName } from '../../vocabulary/index.ts'
import { QUOTE_REQUEST } from '../sent/quotes.ts'
import { orRefused, type Receive, type Received, type ReceivedDeps } from './deps.ts'
import { localPeople, localPerson } from './local-people.ts'

/**
 * Finds the local account whose follow of the actor is answered: by the embedded follow, or by its id, because some servers embed it with other uris
 * of the two accounts.
 */
const followerOf = (deps: ReceivedDeps) => {
  const people = localPeople(deps, { withSuspended: true })
  const bySentBack = async (follow: Activity | undefined, actorUri: string): Promise<string | undefined> =>
    follow?.type === 'Follow' && follow.object.uri === actorUri ? (await localPerson(people, follow.actor))?.id : undefined
  const byId = async (uri: string, subjectId: string): Promise<string | undefined> => {
    const act = await deps.acts.byUri(uri)
    return act?.kind === 'follow' && act.subjectId === subjectId ? act.accountId : undefined
  }
  return async ({ activity: { object }, actor }: Received): Promise<string | undefined> =>
    (await bySentBack(object.activity, actor.uri)) ?? byId(object.uri, actor.accountId)
}

/** The uri of the local status whose quote is answered, from the embedded request or its id; empty if no quote is answered. */
const quotingUri = ({ object }: Activity): string => {
  const request = object.activity
  if (request) return request.type === 'QuoteRequest' ? request.instrument.uri || request.id : ''
  return object.uri.endsWith(QUOTE_REQUEST) ? object.uri : ''
}

/** Applies the decision of a remote author on a quote by a local status. Returns whether the activity was such a decision. */
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

/** Receives an Accept: approves our quote, or authorizes our follow request. Ignores the acceptance of a follow that was not requested. */
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

/** Receives a Reject: refuses our quote, or rejects our follow request or ends our follow. */
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
