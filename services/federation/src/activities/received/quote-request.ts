import { QuoteState } from '@rookery/contracts/statuses'
import { transact } from '@rookery/database'
import { isSameHost } from '../../host.rules.ts'
import { ownCall } from '../../own-call.ts'
import { localName, type ObjectDocument, readObject } from '../../vocabulary/index.ts'
import { answerQuote } from '../sent/answer-quote.ts'
import type { Receive, Received, ReceivedDeps } from './deps.ts'
import { createStatuses } from './keep-status.ts'
import { isBy } from './status.rules.ts'

/** The status that quotes: as sent along, else as its own server gives it. */
const quotingOf = async (deps: ReceivedDeps, { activity, actor, budget }: Received): Promise<ObjectDocument | undefined> => {
  const { uri, document } = activity.instrument
  if (!isSameHost(uri, actor.uri)) return undefined
  if (document?.['attributedTo'] !== undefined) return readObject(document)
  budget.fetches--
  const fetched = await deps.fetchDocument(uri, { signal: budget.signal })
  const object = isSameHost(fetched.url, uri) ? readObject(fetched.document) : undefined
  return object?.uri === uri ? object : undefined
}

/**
 * Someone elsewhere asks whether their status may quote one of this server (FEP-044f). The status is kept as if it was sent, by which the policy
 * of what it quotes decides; the answer says what became of it.
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
    const object = quotedAuthor && (await quotingOf(deps, received))
    if (!quotedAuthor || !object || !isBy(object, actor.uri) || object.quotedUri !== activity.object.uri) return
    const quotingId = await statuses.keep(object, actor, { budget, isFetched: false })
    const request = { id: activity.id, actor: actor.uri, quoted: activity.object.uri, quoting: object.uri }
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
