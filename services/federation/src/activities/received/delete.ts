import { isSameHost } from '../../host.rules.ts'
import { ownCall } from '../../own-call.ts'
import { orRefused, type Receive, type ReceivedDeps } from './deps.ts'

/** The subject of a deletion, and the account of an unknown actor. */
const NONE = '0'

/**
 * Deletes a status, an account with all its statuses, or the approval of a quote. Deletions of unknown objects are recorded, so that an
 * object that arrives later is ignored.
 */
export const receiveDelete = ({ statuses, actors, acts }: ReceivedDeps): Receive => {
  const { remoteStatuses } = statuses
  const remember = (uri: string, accountId: string) => acts.keep({ uri, kind: 'delete', accountId: accountId || NONE, subjectId: NONE })

  const deleteStatus = async (uri: string, accountId: string, authorId: string): Promise<void> => {
    if (accountId === '') return
    if (authorId === accountId) await remember(uri, accountId)
    await orRefused(remoteStatuses.delete(ownCall(), { uri, authorId: accountId }))
  }

  /** Deletes an unknown object: the approval of a quote, or an object that arrives after its deletion. */
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
