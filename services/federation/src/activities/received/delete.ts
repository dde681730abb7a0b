import { isSameHost } from '../../host.rules.ts'
import { ownCall } from '../../own-call.ts'
import { orRefused, type Receive, type ReceivedDeps } from './deps.ts'

/** Of a deletion that comes before what it deletes. */
const NONE = '0'

/** A status is gone, or a person with all they said, or what approved a quote of a status of theirs. What is not known yet is remembered, so that it is not kept when it comes. */
export const receiveDelete = ({ statuses, actors, acts }: ReceivedDeps): Receive => {
  return async ({ activity, actor }) => {
    const { uri } = activity.object
    if (uri === actor.uri) return actors.remove(uri)
    if (!isSameHost(uri, actor.uri)) return
    const accountId = actor.accountId || NONE
    const found = await statuses.remoteStatuses.readByUris(ownCall(), { uris: [uri] })
    const status = found.statuses[0]
    if (!status && actor.accountId) {
      const revoked = { authorId: actor.accountId, statusId: '', authorizationUri: uri, isAccepted: false }
      await orRefused(statuses.remoteStatuses.decideQuote(ownCall(), revoked))
    }
    if (!status || status.authorId === accountId) await acts.keep({ uri, kind: 'delete', accountId, subjectId: NONE })
    if (status && actor.accountId) await orRefused(statuses.remoteStatuses.delete(ownCall(), { uri, authorId: actor.accountId }))
  }
}
