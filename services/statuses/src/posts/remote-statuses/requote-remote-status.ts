import { QuoteState, type RemoteStatus } from '@rookery/contracts/statuses'
import { type Database, type Tx, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import type { Call } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import { addressRecipients } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { QuoteWriter, statusQuotingChanged } from '../quotes/index.ts'
import type { QuotedRow } from '../statuses/index.ts'
import { remoteQuotePolicy, remoteQuoteState } from './remote-status.rules.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock }
type Requoted = { id: string; status: RemoteStatus; quoted: QuotedRow | null }

/**
 * Whether a received status is its current version: an update, or fetched. A delivered new status may arrive after a later update and be outdated,
 * so it revokes no approval.
 */
const isCurrent = ({ isFetched, editedAtMilliseconds }: RemoteStatus): boolean => isFetched || editedAtMilliseconds !== undefined

/**
 * Updates the quote and the quote policy of a stored remote status from the received one: accepts a quote that was approved since, and revokes one
 * whose approval is gone. Rejected and revoked quotes stay so. Notifies the quoted author of an added quote.
 */
export const requoteRemoteStatus = ({ database, outbox, clock }: Deps) => {
  const add = async (tx: Tx<StatusesTables>, { id, status, quoted }: Requoted & { quoted: QuotedRow }, state: QuoteState) => {
    const quote = { statusId: id, quotedId: quoted.id, state, authorizationUri: status.quoteAuthorizationUri || null }
    if (!(await new QuoteWriter(tx).add(quote))) return false
    const act = { recipientId: quoted.authorId, actorId: status.authorId, reason: 'quote', statusId: id }
    const isNotified = state === QuoteState.ACCEPTED && quoted.isLocal && !status.isFetched
    if (isNotified) await outbox.append(tx, await addressRecipients(tx, [act], new Date(clock.now())))
    return true
  }

  const change = async (tx: Tx<StatusesTables>, { id, status, quoted }: Requoted & { quoted: QuotedRow }, state: QuoteState) => {
    const writer = new QuoteWriter(tx)
    const pair = { statusId: id, quotedId: quoted.id }
    const quote = await writer.lock(pair)
    if (!quote) return false
    const isApproved = quote.state === QuoteState.PENDING && state === QuoteState.ACCEPTED
    if (isApproved) await writer.accept(pair, status.quoteAuthorizationUri || null)
    const wasApproved = quote.state === QuoteState.ACCEPTED && quote.authorizationUri !== null
    const isGone = wasApproved && state === QuoteState.PENDING && isCurrent(status)
    if (isGone) await writer.end(pair, { ...quote, state: QuoteState.REVOKED })
    return isApproved || isGone
  }

  return async (call: Call, { id, status, quoted }: Requoted): Promise<void> => {
    const state = remoteQuoteState(status, quoted)
    await transact(database.db, async (tx) => {
      const writer = new QuoteWriter(tx)
      const set = (await writer.quotedBy(id)) ? change : add
      const isNew = quoted !== null && state !== undefined && (await set(tx, { id, status, quoted }, state))
      // After the quote: writing that locks the quoted status, whose id may be lower.
      const isPolicyNew = await writer.setPolicy(id, remoteQuotePolicy(status))
      if (isPolicyNew || isNew) await outbox.append(tx, [statusQuotingChanged({ statusId: id, authorId: status.authorId })], call.trace)
    })
  }
}
