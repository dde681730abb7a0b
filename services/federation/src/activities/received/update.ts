import { isSameHost } from '../../host.rules.ts'
import { receiveStatus } from './create.ts'
import type { Receive, ReceivedDeps } from './deps.ts'

/** Applies the current profile of an actor, or the current content of a status. */
export const receiveUpdate = (deps: ReceivedDeps): Receive => {
  const status = receiveStatus(deps)
  return async (received) => {
    const { activity, actor } = received
    const { uri, document } = activity.object
    if (uri !== actor.uri) return status(received)
    if (!actor.accountId) return
    if (document && isSameHost(uri, actor.uri) && document['inbox'] !== undefined) await deps.actors.store(document)
    else await deps.actors.byUri(actor.uri, { isFresh: true })
  }
}
