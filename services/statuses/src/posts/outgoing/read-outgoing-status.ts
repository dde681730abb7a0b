import {
  type OutgoingStatus,
  type OutgoingStatuses,
  QuoteState,
  type ReadOutgoingRequest,
  type ReferenceList,
  StatusBody,
  type StatusPage,
} from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { type OutgoingQuote, readOutgoingQuote, readStatusPlaces } from './outgoing.store.ts'
import { placesOn } from './places.ts'
import { readReferences } from './read-references.ts'

type Deps = { database: Database<StatusesTables>; views: Views; baseUrl: string }

const NOTHING: OutgoingStatuses = { statuses: [] }

/** Look-ups of uris by id. */
const urisOf = ({ accounts, statuses }: ReferenceList) => {
  const accountUris = new Map(accounts.map(({ id, uri }) => [id, uri]))
  const statusUris = new Map(statuses.map(({ id, uri }) => [id, uri]))
  return {
    account: (id: string | undefined) => accountUris.get(id ?? '') ?? '',
    status: (id: string | undefined) => statusUris.get(id ?? '') ?? '',
  }
}

/** The quote as sent to other servers: a pending quote with its approver, an accepted one with its approval. */
const quoting = (quotingId: string, quote: OutgoingQuote | undefined, baseUrl: string) => {
  const places = placesOn(baseUrl)
  const { state, quotedId, quotedAuthorId, quotedUsername, isQuotedLocal } = quote ?? {}
  const isSaid = state === QuoteState.PENDING || state === QuoteState.ACCEPTED
  const none = {
    quotePolicy: (quote?.quotePolicy ?? 0) as OutgoingStatus['quotePolicy'],
    quotedUri: '',
    quoteAuthorizationUri: '',
    quoteApproverId: '',
  }
  if (!isSaid || !quotedId || !quotedUsername || !quotedAuthorId) return none
  const own = isQuotedLocal ? places.quoteAuthorization(quotedUsername, quotingId) : (quote?.authorizationUri ?? '')
  return {
    ...none,
    quotedUri: places.status({ id: quotedId, username: quotedUsername, uri: quote?.quotedUri ?? null }),
    quoteAuthorizationUri: state === QuoteState.ACCEPTED ? own : '',
    quoteApproverId: state === QuoteState.PENDING && !isQuotedLocal ? quotedAuthorId : '',
  }
}

/** Whether staff mark the files of an account as sensitive. */
const isSensitized = ({ accounts }: StatusPage, id: string): boolean => accounts.find((account) => account.id === id)?.isSensitized === true

/** A status as sent to other servers, with the uris of all it refers to. */
const outgoing = (
  body: StatusBody,
  page: StatusPage,
  { originalAuthorId, uris, quote }: { originalAuthorId: string; uris: ReturnType<typeof urisOf>; quote: ReturnType<typeof quoting> },
): OutgoingStatus => {
  const overlay = page.items[0]?.overlay
  return {
    id: body.id,
    uri: uris.status(body.id),
    authorId: body.accountId,
    authorUsername: body.username,
    visibility: body.visibility,
    content: body.content,
    spoilerText: body.spoilerText,
    sensitive: body.sensitive || isSensitized(page, body.accountId),
    language: body.language,
    inReplyToUri: uris.status(body.inReplyToId),
    inReplyToAccountUri: uris.account(body.inReplyToAccountId),
    publishedAtMilliseconds: body.createdAtMilliseconds,
    editedAtMilliseconds: body.editedAtMilliseconds,
    attachments: body.attachments,
    mentions: body.mentions.map(({ accountId, username, origin }) => ({
      accountId,
      uri: uris.account(accountId),
      acct: origin ? `${username}@${origin.domain}` : username,
    })),
    tags: body.tags.map(({ name }) => name),
    emojis: body.emojis,
    poll: body.reblogOfId ? undefined : overlay?.poll,
    reblogOfUri: uris.status(body.reblogOfId),
    reblogOfAuthorUri: uris.account(originalAuthorId),
    ...quote,
    repliesCount: overlay?.repliesCount ?? 0,
    reblogsCount: overlay?.reblogsCount ?? 0,
    favouritesCount: overlay?.favouritesCount ?? 0,
  }
}

/**
 * A local status or boost as sent to other servers: to an asker if they may read it by id, to anonymous ones if everyone may; for delivery, as its
 * author sees it. Empty if it is deleted, remote, or not visible to the asker.
 */
export const readOutgoingStatus = (deps: Deps) => {
  const references = readReferences(deps)
  return async ({ id, askerId, isDelivery }: ReadOutgoingRequest): Promise<OutgoingStatuses> => {
    const [place] = await readStatusPlaces(deps.database, { ids: [id] })
    if (!place?.isLocal) return NOTHING
    const page = await deps.views.byIds(isDelivery ? place.authorId : askerId, [id], 'direct')
    const bodies = new Map(page.statuses.map((view) => [view.id, StatusBody.decode(view.body)]))
    const body = bodies.get(id)
    if (!body || page.items.length === 0) return NOTHING
    const originalAuthorId = bodies.get(body.reblogOfId)?.accountId ?? ''
    const named = await references({
      accountIds: [...body.mentions.map(({ accountId }) => accountId), body.inReplyToAccountId ?? '', originalAuthorId].filter(Boolean),
      statusIds: [id, body.inReplyToId ?? '', body.reblogOfId].filter(Boolean),
    })
    const [quote] = await readOutgoingQuote(deps.database, { id })
    return { statuses: [outgoing(body, page, { originalAuthorId, uris: urisOf(named), quote: quoting(id, quote, deps.baseUrl) })] }
  }
}
