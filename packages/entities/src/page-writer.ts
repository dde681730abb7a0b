import type { AccountView, Flags, Overlay, Quote, StatusItem, StatusPage, StatusView } from '@rookery/contracts/statuses'
import { filterResultEntity } from './filter-result.ts'
import { pollEntity } from './poll.ts'
import { QUOTE_STATE_NAMES, quoteApprovalJson } from './quote.ts'
import type { RenderedBodies } from './rendered-bodies.ts'

const COMMA = Buffer.from(',')
const CLOSE_OBJECT = Buffer.from('}')
const ACCOUNT_KEY = Buffer.from(',"account":')
const NO_REBLOG_KEY = Buffer.from(',"reblog":null,')
const REBLOG_KEY = Buffer.from(',"reblog":')
const NO_QUOTE_KEY = Buffer.from('"quote":null,')
const QUOTE_KEY = Buffer.from('"quote":')
const NULL = Buffer.from('null')

/** A page whose items are written as JSON: the views they refer to, and the bytes written so far. */
export type PageDraft = {
  readonly bodies: RenderedBodies
  readonly statuses: ReadonlyMap<string, StatusView>
  readonly accounts: ReadonlyMap<string, AccountView>
  readonly parts: Buffer[]
}

export const draftOf = (page: StatusPage, bodies: RenderedBodies): PageDraft => ({
  bodies,
  statuses: new Map(page.statuses.map((view) => [view.id, view])),
  accounts: new Map(page.accounts.map((view) => [view.id, view])),
  parts: [],
})

const flagKeys = ({ favourited, reblogged, bookmarked, muted, pinned }: Flags): string => {
  const keys = `,"favourited":${favourited},"reblogged":${reblogged},"bookmarked":${bookmarked},"muted":${muted}`
  return pinned === undefined ? keys : `${keys},"pinned":${pinned}`
}

/** The viewer state's keys and the closing brace of the status. Written by hand, because it runs for every status of every page. */
const overlayTail = (id: string, overlay: Overlay): Buffer => {
  const { repliesCount, reblogsCount, favouritesCount, quotesCount, flags, poll, filtered } = overlay
  const asked = poll ? JSON.stringify(pollEntity(id, poll)) : 'null'
  const quoting = `"quotes_count":${quotesCount},"quote_approval":${quoteApprovalJson(overlay)}`
  const counts = `"poll":${asked},"replies_count":${repliesCount},"reblogs_count":${reblogsCount},"favourites_count":${favouritesCount},${quoting}`
  if (!flags && !filtered) return Buffer.from(`${counts}}`)
  const fitting = filtered ? JSON.stringify(filtered.results.map(filterResultEntity)) : '[]'
  return Buffer.from(`${counts}${flags ? flagKeys(flags) : ''},"filtered":${fitting}}`)
}

/** ShallowQuote: a quote within a quote (beyond-the-spec 1.1). */
const shallowQuote = ({ state, quotedId }: Quote): Buffer =>
  Buffer.from(`{"state":"${QUOTE_STATE_NAMES[state]}","quoted_status_id":${quotedId ? `"${quotedId}"` : 'null'}}`)

/** A status with what its viewer sees of it. */
type Shown = { readonly id: string; readonly overlay?: Overlay | undefined }

type Place = { readonly reblog?: Shown | undefined; readonly isQuoted?: boolean }

/** Quote, with the whole of what is quoted where the viewer is shown it. */
const writeWholeQuote = (draft: PageDraft, { state, quotedId, overlay }: Quote): void => {
  const { parts } = draft
  parts.push(Buffer.from(`{"state":"${QUOTE_STATE_NAMES[state]}","quoted_status":`))
  const before = parts.length
  if (!quotedId || !writeStatus(draft, { id: quotedId, overlay }, { isQuoted: true })) {
    parts.length = before
    parts.push(NULL)
  }
  parts.push(CLOSE_OBJECT)
}

const writeQuote = (draft: PageDraft, quote: Quote | undefined, isQuoted: boolean): void => {
  if (!quote) return void draft.parts.push(NO_QUOTE_KEY)
  draft.parts.push(QUOTE_KEY)
  if (isQuoted) draft.parts.push(shallowQuote(quote))
  else writeWholeQuote(draft, quote)
  draft.parts.push(COMMA)
}

const writeReblog = (draft: PageDraft, reblog: Shown | undefined): boolean => {
  draft.parts.push(reblog ? REBLOG_KEY : NO_REBLOG_KEY)
  if (!reblog) return true
  if (!writeStatus(draft, reblog)) return false
  draft.parts.push(COMMA)
  return true
}

/** Whether the page has all of it; part of it may have been written where it has not. */
const writeStatus = (draft: PageDraft, { id, overlay }: Shown, { reblog, isQuoted = false }: Place = {}): boolean => {
  const { parts, bodies } = draft
  const view = draft.statuses.get(id)
  const author = view && draft.accounts.get(view.accountId)
  if (!view || !author || !overlay) return false
  parts.push(bodies.status(view, author), ACCOUNT_KEY, bodies.account(author))
  if (!writeReblog(draft, reblog)) return false
  writeQuote(draft, overlay.quote, isQuoted)
  parts.push(overlayTail(id, overlay))
  return true
}

/** Writes an item; nothing when the page lacks a body or an account of it. Answers whether it was written. */
export const writeItem = (draft: PageDraft, item: StatusItem): boolean => {
  const before = draft.parts.length
  const reblog = item.reblogOfId ? { id: item.reblogOfId, overlay: item.reblogOverlay } : undefined
  const isWhole = writeStatus(draft, item, { reblog })
  if (!isWhole) draft.parts.length = before
  return isWhole
}
