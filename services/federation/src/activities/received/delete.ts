import { isSameHost } from '../../host.rules.ts'
import { ownCall } from '../../own-call.ts'
import { orRefused, type Receive, type ReceivedDeps } from './deps.ts'

/** Of a deletion that comes before what it deletes. */
const NONE = '0'

/** A status is gone, or a person with all they said, or what approved a quote of a status of theirs. What is not known yet is remembered, so that it is not kept when it comes. */
export const receiveDelete = ({ statuses, actors, acts }: ReceivedDeps): Receive => {
  const { remoteStatuses } = statuses
  const remember = (uri: string, accountId: string) => acts.keep({ uri, kind: 'delete', accountId: accountId || NONE, subjectId: NONE })

  const deleteStatus = async (uri: string, accountId: string, authorId: string): Promise<void> => {
    if (accountId === '') return
    if (authorId === accountId) await remember(uri, accountId)
    await orRefused(remoteStatuses.delete(ownCall(), { uri, authorId: accountId }))
  }

  /** What is no status here: an approval of a quote, or what comes only after its deletion. */
  const deleteUnknown = async (uri: string, accountId: string): Promise<void> => {
    const revoked = { authorId: accountId, statusId: '', authorizationUri: uri, isAccepted: false }
    if (accountId !== '') await orRefused(remoteStatuses.decideQuote(ownCall(), revoked))
    await remember(uri, accountId)
  }

  return async ({ activity, actor }) => {
    const { uri } = activity.object
    if (uri === actor.uri) return actors.remove(uri)
    if (!isSameHost(uri, actor.uri)) return
    const [status] = (await remoteStatuses.readByUris(ownCall(), { uris: [uri] })).statuses
    await (status ? deleteStatus(uri, actor.accountId, status.authorId) : deleteUnknown(uri, actor.accountId))
  }
}
