import { createHash } from 'node:crypto'
import { type Payload, type Places, payloadOf, renderAct } from '../../vocabulary/index.ts'

/** A received request to quote, and the decision. */
type DecidedQuote = {
  readonly id: string
  readonly actor: string
  readonly quoted: string
  readonly quoting: string
  readonly isAccepted: boolean
  /** The local id of the quoting status. */
  readonly quotingId: string
  /** The author of the quoted status. */
  readonly username: string
}

/** Renders the answer to a request to quote a local status: an Accept with the uri of the approval, or a Reject (FEP-044f). */
export const answerQuote = ({ id, actor, quoted, quoting, isAccepted, quotingId, username }: DecidedQuote, at: Places): Payload => {
  const type = isAccepted ? 'Accept' : 'Reject'
  const author = at.actor(username)
  const digest = createHash('sha256').update(id).digest('hex').slice(0, 32)
  const object = { id, type: 'QuoteRequest', actor, object: quoted, instrument: quoting }
  const answer = renderAct(type, { id: `${author}#${type.toLowerCase()}s/quotes/${digest}`, actor: author, to: [actor], object })
  return payloadOf(isAccepted ? { ...answer, result: at.quoteAuthorization(username, quotingId) } : answer)
}
