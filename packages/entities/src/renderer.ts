import { type CachePool, onceEach } from '@rookery/cache'
import type { AccountView, Credentials, StatusItem, StatusPage, StatusView } from '@rookery/contracts/statuses'
import { type Addresses, addresses } from './addresses.ts'
import type { HeldRole } from './credential-account.ts'
import { draftOf, type JsonParts, joinJson, type PageDraft, writeItem } from './page-writer.ts'
import { createRenderedBodies } from './rendered-bodies.ts'

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
  /** Context (spec, Context): the items above a status and those below it. */
  context(page: StatusPage, ids: { readonly ancestorIds: readonly string[]; readonly descendantIds: readonly string[] }): Buffer
  account(view: AccountView): Buffer
  accounts(views: readonly AccountView[]): Buffer
  /** The account with what only its owner sees. */
  credentials(credentials: Credentials, role: HeldRole): Buffer
  readonly urls: Addresses
}

/** Items, each of one or several parts of JSON, as one JSON array. */
export const jsonList = (items: readonly (Buffer | Readonly<JsonParts>)[]): Buffer => {
  const parts: JsonParts = ['[']
  for (const item of items) {
    if (parts.length > 1) parts.push(',')
    if (Buffer.isBuffer(item)) parts.push(item)
    else parts.push(...item)
  }
  parts.push(']')
  return joinJson(parts)
}

const itemJson = (draft: PageDraft, item: StatusItem): Buffer | undefined =>
  writeItem(draft, item) ? joinJson(draft.parts.splice(0)) : undefined

/** Writes items as a JSON array. */
const writeList = (draft: PageDraft, items: readonly StatusItem[]): void => {
  const { parts } = draft
  const start = parts.push('[')
  for (const item of items) {
    const before = parts.length
    if (before > start) parts.push(',')
    if (!writeItem(draft, item)) parts.length = before
  }
  parts.push(']')
}

const listJson = (draft: PageDraft, items: readonly StatusItem[]): Buffer => {
  writeList(draft, items)
  return joinJson(draft.parts)
}

/** The items of a page with some ids, in their order. */
const itemsOf = (page: { readonly items: readonly StatusItem[] }): ((ids: readonly string[]) => StatusItem[]) => {
  const byId = new Map(page.items.map((item) => [item.id, item]))
  return (ids) => ids.flatMap((id) => byId.get(id) ?? [])
}

/** Pages, and threads, of which the JSON is remembered for those who share them. A thread may have megabytes. */
const MAX_SHARED = { pages: 8, threads: 2 } as const

/** What of a page is written. */
type PageParts = [items: readonly StatusItem[], statuses: readonly StatusView[], accounts: readonly AccountView[]]

type Deps = {
  baseUrl: string
  /** Where JSON is kept, in caches whose names begin with `caches`. */
  pool: CachePool
  caches: string
}

/** A renderer for the server at `baseUrl`. */
export const createRenderer = ({ baseUrl, pool, caches }: Deps): Renderer => {
  const urls = addresses(baseUrl)
  const bodies = createRenderedBodies({ urls, statuses: pool.cache(`${caches} statuses`), accounts: pool.cache(`${caches} accounts`) })
  // Readers who share what a page shows, in one process, share its JSON.
  const listOf = onceEach(
    (...[items, statuses, accounts]: PageParts) => listJson(draftOf({ statuses, accounts }, bodies), items),
    MAX_SHARED.pages,
  )
  const contextOf = onceEach(
    (ancestorIds: readonly string[], descendantIds: readonly string[], ...[items, statuses, accounts]: PageParts) => {
      const draft = draftOf({ statuses, accounts }, bodies)
      const itemsWith = itemsOf({ items })
      draft.parts.push('{"ancestors":')
      writeList(draft, itemsWith(ancestorIds))
      draft.parts.push(',"descendants":')
      writeList(draft, itemsWith(descendantIds))
      draft.parts.push('}')
      return joinJson(draft.parts)
    },
    MAX_SHARED.threads,
  )
  return {
    urls,
    account: bodies.account,
    accounts: (views) => jsonList(views.map(bodies.account)),
    credentials: bodies.credentials,
    status: (page, item) => itemJson(draftOf(page, bodies), item),
    statusesById: (page) => {
      const draft = draftOf(page, bodies)
      const byId = new Map<string, Buffer>()
      for (const item of page.items) {
        const whole = itemJson(draft, item)
        if (whole) byId.set(item.id, whole)
      }
      return byId
    },
    statuses: ({ items, statuses, accounts }) => listOf(items, statuses, accounts),
    statusesOf: (page, ids) => listJson(draftOf(page, bodies), itemsOf(page)(ids)),
    context: ({ items, statuses, accounts }, { ancestorIds, descendantIds }) =>
      contextOf(ancestorIds, descendantIds, items, statuses, accounts),
  }
}
