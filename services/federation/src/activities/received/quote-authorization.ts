import { isSameHost } from '../../host.rules.ts'
import { ownCall } from '../../own-call.ts'
import { localName, type ObjectDocument, type QuoteAuthorizationDocument, readQuoteAuthorization } from '../../vocabulary/index.ts'
import type { ActivityClients } from '../clients.ts'
import type { Budget, ReceivedDeps } from './deps.ts'
import { fetchWithinBudget } from './fetch-document.ts'

/** The uri of the author of a status that is known here. */
const authorUriOf = async ({ outgoing }: ActivityClients, statusId: string): Promise<string | undefined> => {
  const [status] = (await outgoing.readReferences(ownCall(), { accountIds: [], statusIds: [statusId] })).statuses
  if (!status) return undefined
  return (await outgoing.readReferences(ownCall(), { accountIds: [status.authorId], statusIds: [] })).accounts[0]?.uri
}

/** Whether a document approves this quote and no other. */
const isFor = (approval: QuoteAuthorizationDocument, { uri, quotedUri, quoteAuthorizationUri }: ObjectDocument): boolean =>
  approval.uri === quoteAuthorizationUri && approval.quotingUri === uri && approval.quotedUri === quotedUri

/**
 * The uri of what approves a quote of a status of another server, once that server says so itself: by the author of the quoted status, for this
 * quote alone (FEP-044f). Empty where nothing does. Quotes of statuses of this server are decided here.
 */
export const verifyQuoteAuthorization = (deps: Pick<ReceivedDeps, 'baseUrl' | 'statuses' | 'fetchDocument' | 'log'>) => {
  const documentAt = fetchWithinBudget(deps)
  return async (quoting: ObjectDocument, quotedStatusId: string, budget: Budget): Promise<string> => {
    const { quotedUri, quoteAuthorizationUri } = quoting
    const isToVerify = quotedStatusId !== '' && quoteAuthorizationUri !== '' && !localName(deps.baseUrl, quotedUri)
    if (!isToVerify || !isSameHost(quoteAuthorizationUri, quotedUri)) return ''
    const fetched = await documentAt(quoteAuthorizationUri, budget)
    const approval = readQuoteAuthorization(fetched?.document)
    if (!fetched || !approval || !isSameHost(fetched.url, quotedUri) || !isFor(approval, quoting)) return ''
    return (await authorUriOf(deps.statuses, quotedStatusId)) === approval.authorUri ? quoteAuthorizationUri : ''
  }
}
