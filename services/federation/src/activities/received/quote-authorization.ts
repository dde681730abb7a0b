import { QuoteState } from '@rookery/contracts/statuses'
import { DocumentError, type FetchedDocument } from '../../contract.ts'
import { isSameHost } from '../../host.rules.ts'
import { ownCall } from '../../own-call.ts'
import { localName, type ObjectDocument, type QuoteAuthorizationDocument, readQuoteAuthorization } from '../../vocabulary/index.ts'
import type { ActivityClients } from '../clients.ts'
import type { Budget, ReceivedDeps } from './deps.ts'

type VerifyDeps = Pick<ReceivedDeps, 'baseUrl' | 'statuses' | 'fetchDocument' | 'requestQuoteCheck' | 'log'>

/** The actor uri of the author of a known status. */
const authorUriOf = async ({ outgoing }: ActivityClients, statusId: string): Promise<string | undefined> => {
  const [status] = (await outgoing.readReferences(ownCall(), { accountIds: [], statusIds: [statusId] })).statuses
  if (!status) return undefined
  return (await outgoing.readReferences(ownCall(), { accountIds: [status.authorId], statusIds: [] })).accounts[0]?.uri
}

/** Whether an approval is for exactly this quote. */
const isFor = (approval: QuoteAuthorizationDocument, { uri, quotedUri, quoteAuthorizationUri }: ObjectDocument): boolean =>
  approval.uri === quoteAuthorizationUri && approval.quotingUri === uri && approval.quotedUri === quotedUri

/** Whether a quote is currently shown as approved. */
const isAccepted = async ({ remoteStatuses }: ActivityClients, quotingUri: string, quotedStatusId: string): Promise<boolean> => {
  const [quoting] = (await remoteStatuses.readByUris(ownCall(), { uris: [quotingUri] })).statuses
  const [quote] = quoting ? (await remoteStatuses.readQuote(ownCall(), { statusId: quoting.id })).quotes : []
  return quote?.state === QuoteState.ACCEPTED && quote.quotedId === quotedStatusId
}

/** Fetches an approval; null if its server says that there is none, undefined if that is unknown for now. */
const fetchApproval =
  (deps: VerifyDeps) =>
  async (uri: string, budget: Budget): Promise<FetchedDocument | null | undefined> => {
    if (budget.fetches <= 0 || budget.signal.aborted) return undefined
    budget.fetches--
    try {
      return await deps.fetchDocument(uri, { signal: budget.signal })
    } catch (error) {
      deps.log.debug({ err: error, uri }, 'no approval of a quote')
      return error instanceof DocumentError && (error.fault === 'missing' || error.fault === 'gone') ? null : undefined
    }
  }

/** Whether a quote names an approval on the server of what it quotes, which is another one. */
const mayBeApproved = ({ baseUrl }: VerifyDeps, { quotedUri, quoteAuthorizationUri }: ObjectDocument): boolean =>
  quoteAuthorizationUri !== '' && !localName(baseUrl, quotedUri) && isSameHost(quoteAuthorizationUri, quotedUri)

/**
 * Verifies the approval of a quote of a remote status and returns its uri: it must be on the quoted author's server, by that author, and
 * for this quote alone (FEP-044f). Returns an empty string if there is none. While that server is unreachable, an approved quote stays approved, and
 * another is verified again later. Quotes of local statuses are decided here.
 */
export const verifyQuoteAuthorization = (deps: VerifyDeps) => {
  const documentAt = fetchApproval(deps)
  const isApproved = async (found: FetchedDocument, quoting: ObjectDocument, quotedStatusId: string): Promise<boolean> => {
    const approval = readQuoteAuthorization(found.document)
    if (!approval || !isSameHost(found.url, quoting.quotedUri) || !isFor(approval, quoting)) return false
    return (await authorUriOf(deps.statuses, quotedStatusId)) === approval.authorUri
  }
  /** Whether a quote is approved while that is unknown: as before, and verified again later, unless this is a matter of the budget. */
  const isApprovedSoFar = async (quoting: ObjectDocument, quotedStatusId: string, { isSpent }: { isSpent: boolean }): Promise<boolean> => {
    if (await isAccepted(deps.statuses, quoting.uri, quotedStatusId)) return true
    if (!isSpent) await deps.requestQuoteCheck(quoting.uri)
    return false
  }
  return async (quoting: ObjectDocument, quotedStatusId: string, budget: Budget): Promise<string> => {
    const { quoteAuthorizationUri } = quoting
    if (quotedStatusId === '' || !mayBeApproved(deps, quoting)) return ''
    const isSpent = budget.fetches <= 0
    const found = await documentAt(quoteAuthorizationUri, budget)
    if (found === null) return ''
    const holds = found ? await isApproved(found, quoting, quotedStatusId) : await isApprovedSoFar(quoting, quotedStatusId, { isSpent })
    return holds ? quoteAuthorizationUri : ''
  }
}
