import { type Cache, type CachePool, memoize } from '@rookery/cache'
import type { AccountView, Credentials, StatusItem, StatusPage, StatusView } from '@rookery/contracts/statuses'
import { type Addresses, addresses } from './addresses.ts'
import type { HeldRole } from './credential-account.ts'
import { draftOf, type JsonParts, joinJson, type PageDraft, writeItem } from './page-writer.ts'
import { createRenderedBodies } from './rendered-bodies.ts'

/** Renders views as the API's JSON, and caches what is the same for every viewer by (id, version). */
export type Renderer = {
  /** One status of a page as JSON; undefined if the page lacks its body or account. */
  status(page: StatusPage, item: StatusItem): Buffer | undefined
  /** Every complete item of a page as JSON, by id: for lists that refer to statuses, perhaps several times to one. */
  statusesById(page: StatusPage): ReadonlyMap<string, Buffer>
  /** All items of a page as a JSON array. */
  statuses(page: StatusPage): Buffer
  /** The items with these ids as a JSON array, in this order. */
  statusesOf(page: StatusPage, ids: readonly string[]): Buffer
  /** Context (spec, Context): the items above a status and those below it. */
  context(page: StatusPage, ids: { readonly ancestorIds: readonly string[]; readonly descendantIds: readonly string[] }): Buffer
  account(view: AccountView): Buffer
  accounts(views: readonly AccountView[]): Buffer
  /** The account with what only its owner may see. */
  credentials(credentials: Credentials, role: HeldRole): Buffer
  readonly urls: Addresses
}

/** Joins items, each of one or more parts of JSON, into a JSON array. */
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

/** Looks up items of a page by id, in the order of the ids. */
const itemsOf = (page: { readonly items: readonly StatusItem[] }): ((ids: readonly string[]) => StatusItem[]) => {
  const byId = new Map(page.items.map((item) => [item.id, item]))
  return (ids) => ids.flatMap((id) => byId.get(id) ?? [])
}

/** How many pages and threads have their JSON cached for concurrent readers. A thread may have megabytes. Pages of one reader are cached otherwise. */
const MAX_SHARED = { pages: 8, threads: 2 } as const

/** The parts of a page that its JSON depends on. */
type PageParts = [items: readonly StatusItem[], statuses: readonly StatusView[], accounts: readonly AccountView[]]

/**
 * Caches the JSON of pages that are rendered repeatedly, as by a client that polls a timeline. From the second time on: most pages are rendered once,
 * and caching them would only evict others.
 */
const cacheOfRepeated = (cache: Cache<{ parts: PageParts; json: Buffer }>, render: (...parts: PageParts) => Buffer) => {
  const keys = new WeakMap<PageParts[0], string>()
  let last = 0
  return (...parts: PageParts): Buffer => {
    const key = keys.get(parts[0])
    const isOf = (known: { parts: PageParts }) => known.parts.every((part, index) => part === parts[index])
    const known = key && cache.get(key, isOf)
    if (known) return known.json
    const json = render(...parts)
    if (key) cache.set(key, { parts, json })
    else keys.set(parts[0], String(++last))
    return json
  }
}

type Deps = {
  baseUrl: string
  /** The pool for the caches, and the prefix of their names. */
  pool: CachePool
  caches: string
}

/** A renderer for the server at `baseUrl`. */
export const createRenderer = ({ baseUrl, pool, caches }: Deps): Renderer => {
  const urls = addresses(baseUrl)
  const bodies = createRenderedBodies({ urls, statuses: pool.cache(`${caches} statuses`), accounts: pool.cache(`${caches} accounts`) })
  // Concurrent readers of the same page, in one process, share its JSON.
  const listOf = memoize(
    cacheOfRepeated(
      // What the page refers to is kept alive, too, and about as large.
      pool.cache(`${caches} pages`, ({ json }) => 2 * json.length),
      (items, statuses, accounts) => listJson(draftOf({ statuses, accounts }, bodies), items),
    ),
    MAX_SHARED.pages,
  )
  const contextOf = memoize(
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
