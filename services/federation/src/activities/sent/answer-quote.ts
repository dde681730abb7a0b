import { createHash } from 'node:crypto'
import { type Places, renderAct } from '../../vocabulary/index.ts'
import { type Payload, payloadOf } from './answer-follow.ts'

/** The request of a quote as it came, and what became of it. */
type DecidedQuote = {
  readonly id: string
  readonly actor: string
  readonly quoted: string
  readonly quoting: string
  readonly isAccepted: boolean
  /** The status that quotes, as it is kept here. */
  readonly quotingId: string
  /** The author of what is quoted. */
  readonly username: string
}

/** Says whether a status of this server may be quoted: an acceptance with what approves the quote, or a rejection (FEP-044f). */
export const answerQuote = ({ id, actor, quoted, quoting, isAccepted, quotingId, username }: DecidedQuote, at: Places): Payload => {
  const type = isAccepted ? 'Accept' : 'Reject'
  const author = at.actor(username)
  const digest = createHash('sha256').update(id).digest('hex').slice(0, 32)
  const object = { id, type: 'QuoteRequest', actor, object: quoted, instrument: quoting }
  const answer = renderAct(type, { id: `${author}#${type.toLowerCase()}s/quotes/${digest}`, actor: author, to: [actor], object })
  return payloadOf(isAccepted ? { ...answer, result: at.quoteAuthorization(username, quotingId) } : answer)
}
