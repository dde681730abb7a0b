import { isSameHost } from '../../host.rules.ts'
import { ownCall } from '../../own-call.ts'
import { localName, type ObjectDocument, readQuoteAuthorization } from '../../vocabulary/index.ts'
import type { Budget, ReceivedDeps } from './deps.ts'

/**
 * The uri of what approves a quote of a status of another server, once that server says so itself: by the author of the quoted status, for this
 * quote alone (FEP-044f). Empty where nothing does. Quotes of statuses of this server are decided here.
 */
export const verifyQuoteAuthorization =
  (deps: Pick<ReceivedDeps, 'baseUrl' | 'statuses' | 'fetchDocument' | 'log'>) =>
  async ({ uri, quotedUri, quoteAuthorizationUri }: ObjectDocument, quotedStatusId: string, budget: Budget): Promise<string> => {
    const isToVerify = quotedStatusId !== '' && quoteAuthorizationUri !== '' && !localName(deps.baseUrl, quotedUri)
    if (!isToVerify || !isSameHost(quoteAuthorizationUri, quotedUri) || budget.fetches <= 0 || budget.signal.aborted) return ''
    budget.fetches--
    const fetched = await deps.fetchDocument(quoteAuthorizationUri, { signal: budget.signal }).catch((error) => {
      deps.log.debug({ err: error, uri: quoteAuthorizationUri }, 'no approval of a quote')
      return undefined
    })
    const approval = readQuoteAuthorization(fetched?.document)
    if (!fetched || !approval || !isSameHost(fetched.url, quotedUri)) return ''
    if (approval.uri !== quoteAuthorizationUri || approval.quotingUri !== uri || approval.quotedUri !== quotedUri) return ''
    const [quoted] = (await deps.statuses.outgoing.readReferences(ownCall(), { accountIds: [], statusIds: [quotedStatusId] })).statuses
    const [author] = quoted
      ? (await deps.statuses.outgoing.readReferences(ownCall(), { accountIds: [quoted.authorId], statusIds: [] })).accounts
      : []
    return author?.uri === approval.authorUri ? quoteAuthorizationUri : ''
  }
