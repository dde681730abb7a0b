import { type Cache, ownBytes } from '@rookery/cache'
import type { RoleName } from '@rookery/contracts/permissions'
import {
  AccountBody,
  type AccountView,
  type Credentials,
  type Flags,
  type Overlay,
  type Quote,
  StatusBody,
  type StatusItem,
  type StatusPage,
  type StatusView,
} from '@rookery/contracts/statuses'
import { accountEntity } from './account.ts'
import { type Addresses, addresses } from './addresses.ts'
import { credentialAccountEntity } from './credential-account.ts'
import { filterResultEntity } from './filter-result.ts'
import { pollEntity } from './poll.ts'
import { QUOTE_STATE_NAMES, quoteApprovalJson } from './quote.ts'
import { statusBodyEntity } from './status.ts'

/** JSON of something of a version, in bytes of its own. */
export type Rendered = { readonly version: number; readonly json: Buffer }

/** Turns views into the API's JSON, keeping what is the same for every viewer by (id, version). */
export type Renderer = {
  /** One status of a page as JSON. Left out (undefined) when the page lacks its body or account. */
  status(page: StatusPage, item: StatusItem): Buffer | undefined
  /** Every whole item of a page as JSON, by id: for lists that refer to statuses, several times to one perhaps. */
  statusesById(page: StatusPage): ReadonlyMap<string, Buffer>
  /** All items of a page as a JSON array. */
  statuses(page: StatusPage): Buffer
  /** The items with these ids as a JSON array, in this order. */
  statusesOf(page: StatusPage, ids: readonly string[]): Buffer
  account(view: AccountView): Buffer
  accounts(views: readonly AccountView[]): Buffer
  /** The account with what only its owner sees. */
  credentials(credentials: Credentials, role: RoleName): Buffer
  readonly urls: Addresses
}

const OPEN_LIST = Buffer.from('[')
const CLOSE_LIST = Buffer.from(']')
const COMMA = Buffer.from(',')
const CLOSE_OBJECT = Buffer.from('}')
const MOVED_KEY = Buffer.from(',"moved":')
const ACCOUNT_KEY = Buffer.from(',"account":')
const NO_REBLOG_KEY = Buffer.from(',"reblog":null,')
const REBLOG_KEY = Buffer.from(',"reblog":')
const NO_QUOTE_KEY = Buffer.from('"quote":null,')
const QUOTE_KEY = Buffer.from('"quote":')
const NULL = Buffer.from('null')

/** JSON Buffers as one JSON array. */
export const jsonList = (items: readonly Buffer[]): Buffer => {
  const parts: Buffer[] = [OPEN_LIST]
  for (const [index, item] of items.entries()) {
    if (index > 0) parts.push(COMMA)
    parts.push(item)
  }
  parts.push(CLOSE_LIST)
  return Buffer.concat(parts)
}

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

type Deps = {
  baseUrl: string
  /** Where JSON is kept. */
  cache: Cache<Rendered>
}

/** A renderer for the server at `baseUrl`. */
export const createRenderer = (deps: Deps): Renderer => {
  const { cache } = deps
  const urls = addresses(deps.baseUrl)

  const cached = (key: string, version: number, render: () => Buffer) => {
    const known = cache.get(key, (rendered) => rendered.version === version)
    if (known) return known.json
    const json = ownBytes(render())
    // A page read before an edit must not push out what was rendered after it.
    const newest = cache.peek(key)
    if (!newest || newest.version < version) cache.set(key, { version, json })
    return json
  }

  const accountItself = (view: AccountView) =>
    cached(`account ${view.id}`, view.version, () => Buffer.from(JSON.stringify(accountEntity(AccountBody.decode(view.body), urls))))

  /** JSON of an account with that of where the person moved to, which has a version of its own. */
  const withMoved = (json: Buffer, moved: AccountView | undefined) =>
    moved ? Buffer.concat([json.subarray(0, -1), MOVED_KEY, accountItself(moved), CLOSE_OBJECT]) : json

  const account = (view: AccountView) => withMoved(accountItself(view), view.moved)

  const credentials = (given: Credentials, role: RoleName) => {
    const { id = '', version = 0 } = given.account ?? {}
    const json = cached(`owner ${id} ${role}`, version, () => Buffer.from(JSON.stringify(credentialAccountEntity(given, role, urls))))
    return withMoved(json, given.account?.moved)
  }

  /** The body without its closing brace, so that the other keys can follow; the media as those of its author are shown. */
  const body = (view: StatusView, { isSensitized: isSensitive = false, rejectsMedia = false }: AccountView) =>
    cached(`${isSensitive ? 'sensitive ' : ''}${rejectsMedia ? 'rejected ' : ''}status ${view.id}`, view.version, () => {
      const entity = statusBodyEntity(StatusBody.decode(view.body), urls, { rejectsMedia })
      const json = Buffer.from(JSON.stringify(isSensitive ? { ...entity, sensitive: true } : entity))
      return json.subarray(0, -1)
    })

  type Index = { statuses: Map<string, StatusView>; accounts: Map<string, AccountView> }
  const indexOf = (page: StatusPage): Index => ({
    statuses: new Map(page.statuses.map((view) => [view.id, view])),
    accounts: new Map(page.accounts.map((view) => [view.id, view])),
  })

  /** Quote, with the whole of what is quoted where the viewer is shown it. */
  const writeQuote = (parts: Buffer[], index: Index, { state, quotedId, overlay }: Quote) => {
    parts.push(Buffer.from(`{"state":"${QUOTE_STATE_NAMES[state]}","quoted_status":`))
    const before = parts.length
    const nested = { writeQuote: (quote: Quote) => parts.push(shallowQuote(quote)) }
    if (!quotedId || !write(parts, index, quotedId, overlay, nested)) {
      parts.length = before
      parts.push(NULL)
    }
    parts.push(CLOSE_OBJECT)
  }

  type Writers = { writeReblog?: (() => boolean) | undefined; writeQuote?: (quote: Quote) => void }

  const write = (parts: Buffer[], index: Index, id: string, overlay: Overlay | undefined, writers: Writers = {}): boolean => {
    const { writeReblog } = writers
    const view = index.statuses.get(id)
    const author = view && index.accounts.get(view.accountId)
    if (!view || !author || !overlay) return false
    parts.push(body(view, author), ACCOUNT_KEY, account(author))
    if (writeReblog) {
      parts.push(REBLOG_KEY)
      if (!writeReblog()) return false
      parts.push(COMMA)
    } else parts.push(NO_REBLOG_KEY)
    if (overlay.quote) {
      parts.push(QUOTE_KEY)
      if (writers.writeQuote) writers.writeQuote(overlay.quote)
      else writeQuote(parts, index, overlay.quote)
      parts.push(COMMA)
    } else parts.push(NO_QUOTE_KEY)
    parts.push(overlayTail(id, overlay))
    return true
  }

  const writeItem = (parts: Buffer[], index: Index, item: StatusItem) => {
    const before = parts.length
    const writeReblog = item.reblogOfId ? () => write(parts, index, item.reblogOfId, item.reblogOverlay) : undefined
    const isWhole = write(parts, index, item.id, item.overlay, { writeReblog })
    if (!isWhole) parts.length = before
    return isWhole
  }

  const json = (index: Index, item: StatusItem) => {
    const parts: Buffer[] = []
    return writeItem(parts, index, item) ? Buffer.concat(parts) : undefined
  }

  const list = (page: StatusPage, items: readonly StatusItem[]) => {
    const index = indexOf(page)
    const parts: Buffer[] = [OPEN_LIST]
    for (const item of items) {
      const before = parts.length
      if (before > 1) parts.push(COMMA)
      if (!writeItem(parts, index, item)) parts.length = before
    }
    parts.push(CLOSE_LIST)
    return Buffer.concat(parts)
  }

  return {
    urls,
    account,
    accounts: (views) => jsonList(views.map(account)),
    credentials,
    status: (page, item) => json(indexOf(page), item),
    statusesById: (page) => {
      const index = indexOf(page)
      const byId = new Map<string, Buffer>()
      for (const item of page.items) {
        const whole = json(index, item)
        if (whole) byId.set(item.id, whole)
      }
      return byId
    },
    statuses: (page) => list(page, page.items),
    statusesOf: (page, ids) => {
      const byId = new Map(page.items.map((item) => [item.id, item]))
      return list(
        page,
        ids.flatMap((id) => byId.get(id) ?? []),
      )
    },
  }
}
