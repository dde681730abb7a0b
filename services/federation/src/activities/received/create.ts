import { isSameHost } from '../../host.rules.ts'
import { ownCall } from '../../own-call.ts'
import { type ObjectDocument, readObject } from '../../vocabulary/index.ts'
import type { Receive, Received, ReceivedDeps } from './deps.ts'
import { createStatuses } from './keep-status.ts'
import { mentionedUris } from './mentions.ts'
import { isBy, isVote } from './status.rules.ts'
import { receiveVote } from './vote.ts'

/** Maximum documents fetched for the thread of a reply. */
const REPLY_FETCHES = 15

/** The object of a Create or Update: as embedded if it is on the sender's server, else fetched from there. */
const objectOf = async (deps: ReceivedDeps, { activity, actor, budget }: Received): Promise<ObjectDocument | undefined> => {
  const { uri, document } = activity.object
  if (!isSameHost(uri, actor.uri)) return undefined
  if (document) return readObject(document, activity)
  budget.fetches--
  const fetched = await deps.fetchDocument(uri, { signal: budget.signal })
  const object = isSameHost(fetched.url, uri) ? readObject(fetched.document) : undefined
  return object && isSameHost(object.uri, uri) ? object : undefined
}

/** Sets the edit time of an Update without one. An edit is recorded only if the content differs. */
const withTimeOfUpdate = (object: ObjectDocument, { activity, context }: Received): ObjectDocument =>
  activity.type === 'Update' && object.editedAt === undefined
    ? { ...object, editedAt: activity.publishedAt ?? context.receivedAt.getTime() }
    : object

/**
 * Creates or updates a status. It is stored only if it concerns someone here: most statuses of strangers do not, and cost one call. An
 * Update of an unknown status is treated like a Create, which may arrive later.
 */
export const receiveStatus = (deps: ReceivedDeps): Receive => {
  const statuses = createStatuses(deps)
  const vote = receiveVote(deps)
  const concerns = async (object: ObjectDocument, { actor }: Received) => {
    const { to, cc } = object.recipients
    const here = [...to, ...cc].filter((uri) => uri.startsWith(`${deps.baseUrl}/`))
    const answer = await deps.statuses.remoteStatuses.concerns(ownCall(), {
      uri: object.uri,
      authorUri: actor.uri,
      mentionedUris: [...new Set([...mentionedUris(object, actor.followersUri), ...here])].slice(0, 100),
      inReplyToUri: object.inReplyTo,
      tags: [...object.tags],
      quotedUri: object.quotedUri,
    })
    return answer.concerns
  }
  const isWanted = async (object: ObjectDocument, received: Received): Promise<boolean> =>
    !(await deps.acts.isDeleted(object.uri)) && (await concerns(object, received))
  return async (received) => {
    const { activity, budget } = received
    const object = await objectOf(deps, received)
    if (!object || !isBy(object, received.actor.uri)) return
    if (isVote(object)) return vote(object, received)
    const actor = (await isWanted(object, received)) ? await received.withAccount() : undefined
    if (!actor?.accountId) return
    await statuses.keep(withTimeOfUpdate(object, received), actor, { budget, isFetched: false })
    if (activity.type === 'Create') await deps.requestThread(object.inReplyTo, { fetches: REPLY_FETCHES })
  }
}
