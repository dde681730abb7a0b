import { ownCall } from '../../own-call.ts'
import { isTombstone } from '../../vocabulary/index.ts'
import { orRefused, type Receive, type ReceivedDeps } from './deps.ts'
import { createStatuses } from './keep-status.ts'

/** Whether the server of an object says that it is gone. */
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
 * An activity that another than its actor sent on: of answers to what is said here, by the server of the thread. Nothing it says is believed;
 * it names an object whose own server is asked.
 */
export const receiveForwarded = (deps: ReceivedDeps): Receive => {
  const statuses = createStatuses(deps)
  const { remoteStatuses } = deps.statuses
  return async ({ activity, budget }) => {
    const { uri, document } = activity.object
    if (!uri) return
    const found = (await remoteStatuses.readByUris(ownCall(), { uris: [uri] })).statuses[0]
    if (activity.type === 'Delete') {
      if (found && (await isGone(deps, uri, budget.signal))) {
        await orRefused(remoteStatuses.delete(ownCall(), { uri, authorId: found.authorId }))
      }
      return
    }
    if (activity.type !== 'Create' && activity.type !== 'Update') return
    const inReplyToUri = typeof document?.['inReplyTo'] === 'string' ? document['inReplyTo'] : ''
    const isAnswer = async () => inReplyToUri !== '' && (await statuses.known(inReplyToUri)) !== ''
    if (found || (await isAnswer())) await statuses.refresh(uri, budget)
  }
}
