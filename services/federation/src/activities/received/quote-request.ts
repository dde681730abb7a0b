import { QuoteState } from '@rookery/contracts/statuses'
import { transact } from '@rookery/database'
import { DocumentError, type FetchedDocument } from '../../contract.ts'
import { isSameHost } from '../../host.rules.ts'
import { ownCall } from '../../own-call.ts'
import { localName, type ObjectDocument, readObject } from '../../vocabulary/index.ts'
import { answerQuote } from '../sent/answer-quote.ts'
import type { Receive, Received, ReceivedDeps } from './deps.ts'
import { createStatuses } from './keep-status.ts'
import { isBy } from './status.rules.ts'

/** The document; undefined if the fetch fails permanently. @throws failures that a retry may cure */
const orMissing = async (fetched: Promise<FetchedDocument>): Promise<FetchedDocument | undefined> =>
  fetched.catch((error) => {
    if (error instanceof DocumentError && !error.mayPass) return undefined
    throw error
  })

/** The quoting status, as embedded, else fetched from its server. */
const instrumentOf = async (deps: ReceivedDeps, { activity, budget }: Received): Promise<ObjectDocument | undefined> => {
  const { uri, document } = activity.instrument
  if (document?.['attributedTo'] !== undefined) return readObject(document)
  budget.fetches--
  const fetched = await orMissing(deps.fetchDocument(uri, { signal: budget.signal }))
  const object = fetched && isSameHost(fetched.url, uri) ? readObject(fetched.document) : undefined
  return object?.uri === uri ? object : undefined
}

/** The quoting status, if the requester wrote it and it quotes the requested status. */
const quotingOf = async (deps: ReceivedDeps, received: Received): Promise<ObjectDocument | undefined> => {
  const { activity, actor } = received
  if (!isSameHost(activity.instrument.uri, actor.uri)) return undefined
  const object = await instrumentOf(deps, received)
  return object && isBy(object, actor.uri) && object.quotedUri === activity.object.uri ? object : undefined
}

/**
 * A remote author requests to quote a local status (FEP-044f). The quoting status is stored as if delivered, which applies the quote policy
 * of the quoted one; the answer reports the result. A request without a valid quoting status is rejected, so that it does not stay pending.
 */
export const receiveQuoteRequest = (deps: ReceivedDeps): Receive => {
  const statuses = createStatuses(deps)
  const { remoteStatuses } = deps.statuses

  const isAccepted = async (quotingId: string, quotedUri: string): Promise<boolean> => {
    const quotedId = await statuses.known(quotedUri)
    const [quote] = quotingId ? (await remoteStatuses.readQuote(ownCall(), { statusId: quotingId })).quotes : []
    return quote?.state === QuoteState.ACCEPTED && quotedId !== '' && quote.quotedId === quotedId
  }

  return async (received) => {
    const { activity, actor, budget } = received
    const name = localName(deps.baseUrl, activity.object.uri)
    if (!activity.id || !name?.statusId) return
    const [quotedAuthor] = (await deps.statuses.outgoing.readActors(ownCall(), { usernames: [name.username] })).actors
    if (!quotedAuthor) return
    const object = await quotingOf(deps, received)
    const quotingId = object ? await statuses.keep(object, actor, { budget, isFetched: false }) : ''
    const request = { id: activity.id, actor: actor.uri, quoted: activity.object.uri, quoting: object?.uri ?? activity.instrument.uri }
    const decision = {
      ...request,
      isAccepted: await isAccepted(quotingId, activity.object.uri),
      quotingId,
      username: quotedAuthor.username,
    }
    const answer = { ...answerQuote(decision, deps.at), senderId: quotedAuthor.id, accountIds: [actor.accountId] }
    await transact(deps.database.db, (tx) => deps.deliver(tx, answer))
  }
}
