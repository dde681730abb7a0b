import { ownCall } from '../../own-call.ts'
import { type ActivityType, isTombstone, type Named } from '../../vocabulary/index.ts'
import { orRefused, type Receive, type Received, type ReceivedDeps } from './deps.ts'
import { createStatuses } from './keep-status.ts'

type Forwarded = (object: Named, by: Pick<Received, 'actor' | 'budget'>) => Promise<unknown>

/** Whether the object's server says that it is deleted. */
const isGone = async ({ fetchDocument }: ReceivedDeps, uri: string, signal: AbortSignal): Promise<boolean> => {
  try {
    return isTombstone((await fetchDocument(uri, { signal })).document)
  } catch (error) {
    const fault = error instanceof Error && 'fault' in error ? error.fault : undefined
    if (fault === 'gone' || fault === 'missing') return true
    throw error
  }
}

/**
 * Handles an activity forwarded by a server other than its actor's: usually a reply forwarded by the server of its thread, or a status by a
 * relay. Its content is not trusted; the object is fetched from its own server.
 */
export const receiveForwarded = (deps: ReceivedDeps): Receive => {
  const statuses = createStatuses(deps)
  const { remoteStatuses } = deps.statuses
  /** The author of a known status. */
  const authorOf = async (uri: string) => (await remoteStatuses.readByUris(ownCall(), { uris: [uri] })).statuses[0]?.authorId

  const deleteGone: Forwarded = async ({ uri }, { budget: { signal } }) => {
    const authorId = await authorOf(uri)
    if (authorId && (await isGone(deps, uri, signal))) await orRefused(remoteStatuses.delete(ownCall(), { uri, authorId }))
  }

  const refreshConcerned: Forwarded = async ({ uri, document }, { budget }) => {
    const inReplyToUri = typeof document?.['inReplyTo'] === 'string' ? document['inReplyTo'] : ''
    const isOfKnown = (await authorOf(uri)) !== undefined || (await statuses.known(inReplyToUri)) !== ''
    if (isOfKnown) await statuses.refresh(uri, budget)
    return isOfKnown
  }

  const create: Forwarded = async (object, by) => {
    if (!(await refreshConcerned(object, by)) && (await deps.relays.isRelay(by.actor))) await statuses.keepRelayed(object.uri, by.budget)
  }

  const byType: Partial<Record<ActivityType, Forwarded>> = { Create: create, Update: refreshConcerned, Delete: deleteGone }
  return async ({ activity, actor, budget }) => {
    if (activity.object.uri) await byType[activity.type]?.(activity.object, { actor, budget })
  }
}
