import type { OutgoingStatus } from '@rookery/contracts/statuses'
import type { Outbound } from '../../contract.ts'
import { PUBLIC, payloadOf, renderNote, renderQuoteAuthorization, renderQuoteRequest } from '../../vocabulary/index.ts'
import { audienceOf, followersOf, references, type Sends, type SentDeps } from './deps.ts'

/** The suffix of the id of a quote request, after the uri of the quoting status: each status makes one request. */
export const QUOTE_REQUEST = '#quote_request'

/**
 * Requests approval from a remote author whose status is quoted, if they are among the recipients of the quoting status: the request
 * contains its text, which stays within its audience. Otherwise the quote stays pending.
 */
export const quoteRequest = async (deps: SentDeps, status: OutgoingStatus, audience: readonly string[]): Promise<readonly Outbound[]> => {
  const { quoteApproverId, uri } = status
  if (!quoteApproverId || !audience.includes(quoteApproverId)) return []
  const author = (await references(deps, { accountIds: [quoteApproverId] })).account(quoteApproverId)
  if (!author) return []
  const actor = deps.at.actor(status.authorUsername)
  const instrument = renderNote(status, deps.at)
  const request = renderQuoteRequest({ id: `${uri}${QUOTE_REQUEST}`, actor, author: author.uri, quoted: status.quotedUri, instrument })
  return [{ ...payloadOf(request), senderId: status.authorId, accountIds: [quoteApproverId] }]
}

/**
 * A local author revokes the quote of their status: the approval is deleted, and the server of the quoting status, or those to whom a local one
 * was sent, and the followers are notified.
 */
export const quoteRevoked =
  (deps: SentDeps): Sends<'quoteRevoked'> =>
  async ({ event }) => {
    const { statusId, authorId, quotedId, quotedAuthorId } = event.value
    const found = await references(deps, { accountIds: [authorId, quotedAuthorId], statusIds: [statusId, quotedId] })
    const [author, quoting, quoted] = [found.account(quotedAuthorId), found.status(statusId), found.status(quotedId)]
    if (!author?.isLocal || !quoting || !quoted?.isLocal) return []
    const uri = deps.at.quoteAuthorization(author.username, statusId)
    const object = renderQuoteAuthorization({
      uri,
      authorUsername: author.username,
      authorUri: author.uri,
      quotingUri: quoting.uri,
      quotedUri: quoted.uri,
    })
    const activity = { id: `${uri}#delete`, type: 'Delete', actor: author.uri, to: [PUBLIC], object }
    const quoters = found.account(authorId)?.isLocal ? await audienceOf(deps, statusId) : [authorId]
    const accountIds = [...new Set([...quoters, ...(await followersOf(deps, quotedAuthorId))])]
    return [{ ...payloadOf(activity), senderId: quotedAuthorId, accountIds }]
  }
