import {
  type AccountView,
  type Flags,
  type Overlay,
  type Quote,
  QuoteState,
  type StatusItem,
  type StatusView,
} from '@rookery/contracts/statuses'
import { filterResultEntity } from './filter-result.ts'
import { pollEntity } from './poll.ts'
import { QUOTE_STATE_NAMES, quoteApprovalJson } from './quote.ts'
import type { Others, RenderedBodies } from './rendered-bodies.ts'

/** JSON in parts: cached bytes, and text. */
export type JsonParts = (Buffer | string)[]

/** Joins the parts into one Buffer. */
export const joinJson = (parts: Readonly<JsonParts>): Buffer => {
  let length = 0
  for (const part of parts) length += typeof part === 'string' ? Buffer.byteLength(part) : part.length
  const json = Buffer.allocUnsafe(length)
  let end = 0
  for (const part of parts) end += typeof part === 'string' ? json.write(part, end) : part.copy(json, end)
  return json
}

/** A page being written as JSON: the views that its items refer to, and the parts written so far. */
export type PageDraft = {
  readonly bodies: RenderedBodies
  readonly statuses: ReadonlyMap<string, StatusView>
  readonly accounts: ReadonlyMap<string, AccountView>
  readonly parts: JsonParts
}

export const draftOf = (
  page: { readonly statuses: readonly StatusView[]; readonly accounts: readonly AccountView[] },
  bodies: RenderedBodies,
): PageDraft => ({
  bodies,
  statuses: new Map(page.statuses.map((view) => [view.id, view])),
  accounts: new Map(page.accounts.map((view) => [view.id, view])),
  parts: [],
})

const flagKeys = ({ favourited, reblogged, bookmarked, muted, pinned }: Flags): string => {
  const keys = `,"favourited":${favourited},"reblogged":${reblogged},"bookmarked":${bookmarked},"muted":${muted}`
  return pinned === undefined ? keys : `${keys},"pinned":${pinned}`
}

/**
 * The keys of the viewer state, and the closing brace of the status. Concatenated by hand, because it runs for every status of every page.
 */
const overlayTail = (id: string, overlay: Overlay): string => {
  const { repliesCount, reblogsCount, favouritesCount, quotesCount, flags, poll, filtered } = overlay
  const asked = poll ? JSON.stringify(pollEntity(id, poll)) : 'null'
  const quoting = `"quotes_count":${quotesCount},"quote_approval":${quoteApprovalJson(overlay)}`
  const counts = `"poll":${asked},"replies_count":${repliesCount},"reblogs_count":${reblogsCount},"favourites_count":${favouritesCount},${quoting}`
  if (!flags && !filtered) return `${counts}}`
  const fitting = filtered ? JSON.stringify(filtered.results.map(filterResultEntity)) : '[]'
  return `${counts}${flags ? flagKeys(flags) : ''},"filtered":${fitting}}`
}

/** ShallowQuote: a quote within a quote (beyond-the-spec 1.1). */
const shallowQuote = ({ state, quotedId }: Quote): string =>
  `{"state":"${QUOTE_STATE_NAMES[state]}","quoted_status_id":${quotedId ? `"${quotedId}"` : 'null'}}`

/** A status with its viewer state. */
type Shown = { readonly id: string; readonly overlay?: Overlay | undefined }

type Place = { readonly reblog?: Shown | undefined; readonly isQuoted?: boolean }

/** Quote, with the whole quoted status if the viewer may see it. */
const writeWholeQuote = (draft: PageDraft, { state, quotedId, overlay }: Quote): void => {
  const { parts } = draft
  parts.push(`{"state":"${QUOTE_STATE_NAMES[state]}","quoted_status":`)
  const before = parts.length
  if (!quotedId || !writeStatus(draft, { id: quotedId, overlay }, { isQuoted: true })) {
    parts.length = before
    parts.push('null')
  }
  parts.push('}')
}

const writeQuote = (draft: PageDraft, quote: Quote, isQuoted: boolean): void => {
  draft.parts.push('"quote":')
  if (isQuoted) draft.parts.push(shallowQuote(quote))
  else writeWholeQuote(draft, quote)
  draft.parts.push(',')
}

const writeReblog = (draft: PageDraft, reblog: Shown): boolean => {
  draft.parts.push(',"reblog":')
  if (!writeStatus(draft, reblog)) return false
  draft.parts.push(',')
  return true
}

/** The data of others in a status. A quote that the viewer would have to open adds no link to the text. */
const othersOf = ({ accounts, statuses }: PageDraft, { cardAuthorId }: StatusView, quote: Quote | undefined): Others => ({
  cardAuthor: cardAuthorId ? accounts.get(cardAuthorId) : undefined,
  quoted: quote?.state === QuoteState.ACCEPTED ? statuses.get(quote.quotedId) : undefined,
})

/** Writes a status; returns whether the page had everything for it. If not, part of it may have been written. */
const writeStatus = (draft: PageDraft, { id, overlay }: Shown, { reblog, isQuoted = false }: Place = {}): boolean => {
  const { parts, bodies } = draft
  const view = draft.statuses.get(id)
  const author = view && draft.accounts.get(view.accountId)
  if (!view || !author || !overlay) return false
  const { quote } = overlay
  const tail = overlayTail(id, overlay)
  // The quote of a quoted status is not shown, so its text does not link to it either.
  const others = othersOf(draft, view, isQuoted ? undefined : quote)
  parts.push(others.cardAuthor || others.quoted ? bodies.withOthers(view, author, others) : bodies.status(view, author))
  // The common case, in two parts.
  if (!reblog && !quote) {
    parts.push(`,"reblog":null,"quote":null,${tail}`)
    return true
  }
  if (!reblog) parts.push(',"reblog":null,')
  else if (!writeReblog(draft, reblog)) return false
  if (quote) writeQuote(draft, quote, isQuoted)
  else parts.push('"quote":null,')
  parts.push(tail)
  return true
}

/** Writes an item; nothing if the page lacks its body or account. Returns whether it was written. */
export const writeItem = (draft: PageDraft, item: StatusItem): boolean => {
  const before = draft.parts.length
  const reblog = item.reblogOfId ? { id: item.reblogOfId, overlay: item.reblogOverlay } : undefined
  const isWhole = writeStatus(draft, item, { reblog })
  if (!isWhole) draft.parts.length = before
  return isWhole
}
