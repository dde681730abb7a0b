import type { CachePool } from '@rookery/cache'
import type { AccountPage, AccountView, Filtered, StatusPage } from '@rookery/contracts/statuses'
import { cursorsOf, type Database, type Page } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import { isShown, type Judgement } from '../audience/index.ts'
import type { StatusesTables } from '../database/schema.ts'
import { type AccountRow, readAccountRows, readAccountVersions } from './account.store.ts'
import { hydrateContexts, type ViewerContext } from './hydrate/context.ts'
import { destinationFinder } from './hydrate/moves.ts'
import { statusTexts } from './hydrate/texts.ts'
import { versionedCache } from './hydrate/versioned.ts'
import { type AccountEntry, presentAccount } from './present/account.ts'
import { filteredOf } from './present/filtered.ts'
import { presentPage } from './present/page.ts'
import { type QuoteViewer, quotedHead, STRANGER } from './present/quote.ts'
import { presentStatus, type StatusEntry } from './present/status.ts'
import { type Skeleton, skeletonByIds } from './skeleton.store.ts'
import { readStatusRows } from './status-body.store.ts'

/** Reads a part of a list of statuses, in the list's order. */
export type ReadPart = (page: Page) => Promise<Skeleton>

/** Assembles pages: skeleton → gather → rules → assemble. Only the first two await. */
export type Views = {
  /** A page of a list. When rules leave it short it reads on from the last row, a bounded number of times. */
  page(viewerId: string, page: Page, read: ReadPart, judgement?: Judgement): Promise<StatusPage>
  /** Versions, counters and the viewer's flags of these statuses, in one statement. */
  skeleton(viewerId: string, ids: readonly string[]): Promise<Skeleton>
  /** A skeleton as a page, by the rules, without cursors. */
  present(viewerId: string, skeleton: Skeleton, judgement: Judgement): Promise<StatusPage>
  /** A skeleton as a page for an anonymous reader: audiences are judged by the caller. */
  presentForAll(skeleton: Skeleton): Promise<StatusPage>
  /** What of these statuses the viewer may see, in the order given. */
  byIds(viewerId: string, ids: readonly string[], judgement: Judgement): Promise<StatusPage>
  /** Which of these statuses the viewer may see, in the order given, and nothing of what they say. One statement warm. */
  visibleIds(viewerId: string, ids: readonly string[], judgement: Judgement): Promise<string[]>
  /** Accounts in the order given; those that are gone are left out, suspended ones are blank. Two statements cold, one warm; for who moved, as many again. */
  accounts(ids: readonly string[]): Promise<AccountView[]>
  /** Accounts by id, each at least at its version. No statement when everything is in memory and no one moved. */
  accountsAt(versions: ReadonlyMap<string, number>): Promise<AccountView[]>
  /** Those of `accounts`, but suspended ones are left out too. */
  listedAccounts(ids: readonly string[]): Promise<AccountView[]>
  /** Which accounts these would be. One statement. */
  listedAccountIds(ids: readonly string[]): Promise<string[]>
  /** A page of accounts found by association rows, without suspended ones. */
  accountPage(rows: readonly { accountId: string; cursor: string }[], page: Page): Promise<AccountPage>
  /** These accounts with where people moved to. No statement where no one moved. */
  withMoves(entries: readonly AccountEntry[]): Promise<AccountView[]>
  /**
   * What of these viewers' filters fits, by the least version of each viewer's context: `ids` are those of the status and of what it boosts,
   * `text` is the status that is read. Viewers whose filters do not match are left out. No statement when everything is in memory.
   */
  filteredFor(
    viewers: ReadonlyMap<string, number>,
    given: { ids: readonly string[]; text: { id: string; version: number } },
  ): Promise<Map<string, Filtered>>
  /** Keeps what was written and committed, so that the next reader need not load it. */
  keep(written: { status?: StatusEntry; account?: AccountEntry }): void
}

/** Times a page is read, on behind what was hidden, and rows it then reads at least. */
const MAX_ROUNDS = 4
const READ_ON = 40

/** The view builder over one database, with its caches in a pool. */
export const createViews = (given: { database: Database<StatusesTables>; clock: Clock; pool: CachePool }): Views => {
  const { database, pool } = given
  const contexts = hydrateContexts(given)
  const textOf = statusTexts(pool)
  const statuses = versionedCache<StatusEntry>(
    async (ids) => (await readStatusRows(database, { ids })).map(presentStatus),
    pool.cache('statuses'),
  )
  const accounts = versionedCache<AccountEntry>(
    async (ids) => (await readAccountRows(database, { ids })).map(presentAccount),
    pool.cache('accounts'),
  )

  const followMoves = destinationFinder({
    readVersions: (ids) => readAccountVersions(database, { ids }),
    hydrate: (versions) => accounts.hydrate(versions),
  })

  const judge = async (viewerId: string, skeleton: Skeleton, judgement: Judgement) => {
    const context = await contexts.of(viewerId, skeleton.contextVersion)
    return { context, shown: skeleton.ids.filter((id) => isShown(id, skeleton, viewerId, context, judgement)) }
  }

  const present = async (viewerId: string, skeleton: Skeleton, judgement: Judgement) => {
    const { context, shown } = await judge(viewerId, skeleton, judgement)
    return hydrate(viewerId, skeleton, shown, { reader: { id: viewerId, blocks: context }, filters: context.filters })
  }

  type Reading = { reader: QuoteViewer; filters: ViewerContext['filters'] }

  const hydrate = async (viewerId: string, skeleton: Skeleton, shown: readonly string[], reading: Reading) => {
    const wantedStatuses = new Map<string, number>()
    const wantedAccounts = new Map<string, number>()
    for (const id of shown) {
      const target = skeleton.heads.get(id)?.reblogOfId ?? id
      for (const head of [skeleton.heads.get(id), skeleton.heads.get(target), quotedHead(target, skeleton)]) {
        if (!head) continue
        wantedStatuses.set(head.id, head.version)
        wantedAccounts.set(head.authorId, head.authorVersion)
      }
    }
    const [foundStatuses, foundAccounts] = await Promise.all([
      statuses.hydrate(wantedStatuses),
      accounts.hydrate(wantedAccounts).then(followMoves),
    ])
    const parts = { skeleton, statuses: foundStatuses, accounts: foundAccounts, ...reading, textOf, now: given.clock.now() }
    return presentPage(shown, viewerId, parts)
  }

  const hydrateAccounts = async (ids: readonly string[], rows: readonly Pick<AccountRow, 'id' | 'version'>[]) => {
    const found = await followMoves(await accounts.hydrate(new Map(rows.map(({ id, version }) => [id, version]))))
    return ids.flatMap((id) => found.get(id) ?? [])
  }

  const listed = async (ids: readonly string[]) => (await readAccountVersions(database, { ids })).filter(({ isSuspended }) => !isSuspended)

  return {
    async page(viewerId, page, read, judgement = 'timeline') {
      const parts: StatusPage[] = []
      const cursors: string[] = []
      let wanted = page.limit
      let part: Page = page
      for (let round = 0; round < MAX_ROUNDS && wanted > 0; round++) {
        const skeleton = await read(part)
        const cursorOf = (id: string) => skeleton.cursors.get(id) ?? id
        const presented = await present(viewerId, skeleton, judgement)
        const items = presented.items.slice(0, wanted)
        parts.push({ ...presented, items })
        wanted -= items.length
        // A page that is full now ends at its last row: what was read behind that belongs to the next one.
        const isCut = items.length < presented.items.length
        const rows = isCut ? skeleton.ids.slice(0, skeleton.ids.indexOf(items.at(-1)!.id) + 1) : skeleton.ids
        cursors.push(...rows.map(cursorOf))
        const end = cursors.at(-1)
        if (skeleton.ids.length < part.limit || end === undefined) break
        part = { ...page, limit: Math.max(wanted, READ_ON), ...(page.minId ? { minId: end } : { maxId: end }) }
      }
      return joinParts(parts, cursors, page)
    },
    skeleton: (viewerId, ids) => skeletonByIds(database, { viewerId: viewerId || '0', ids }),
    present,
    presentForAll: (skeleton) => hydrate('', skeleton, skeleton.ids, { reader: STRANGER, filters: undefined }),
    async byIds(viewerId, ids, judgement) {
      return present(viewerId, await this.skeleton(viewerId, ids), judgement)
    },
    async visibleIds(viewerId, ids, judgement) {
      return (await judge(viewerId, await this.skeleton(viewerId, ids), judgement)).shown
    },
    async accounts(ids) {
      return hydrateAccounts(ids, await readAccountVersions(database, { ids }))
    },
    async accountsAt(versions) {
      return [...(await followMoves(await accounts.hydrate(versions))).values()]
    },
    async withMoves(entries) {
      return [...(await followMoves(new Map(entries.map((entry) => [entry.id, entry])))).values()]
    },
    async listedAccounts(ids) {
      return hydrateAccounts(ids, await listed(ids))
    },
    async listedAccountIds(ids) {
      return (await listed(ids)).map(({ id }) => id)
    },
    async accountPage(rows, page) {
      const { rows: ordered, cursors } = cursorsOf(page, rows, (row) => row.cursor)
      const accounts = await this.listedAccounts(ordered.map((row) => row.accountId))
      // The limit 0 asks for everything, or for nothing: there is no other page.
      return { accounts, cursors: page.limit === 0 ? undefined : cursors }
    },
    async filteredFor(viewers, { ids, text }) {
      const filtered = new Map<string, Filtered>()
      if (viewers.size === 0) return filtered
      const [found, entries] = await Promise.all([contexts.hydrate(viewers), statuses.hydrate(new Map([[text.id, text.version]]))])
      const entry = entries.get(text.id)
      for (const [viewerId, { filters }] of found) {
        const fitting = filters && entry && filteredOf(filters, ids, () => textOf(entry))
        if (fitting) filtered.set(viewerId, fitting)
      }
      return filtered
    },
    keep({ status, account }) {
      if (status) statuses.put(status)
      if (account) accounts.put(account)
    },
  }
}

/** The rounds of a page as one: newest first, no longer than asked for, with cursors that lead on even where all was hidden. */
const joinParts = (parts: readonly StatusPage[], seen: readonly string[], page: Page): StatusPage => {
  const [only] = parts
  const items = parts.flatMap((part) => part.items)
  const isWhole = parts.length === 1 && only !== undefined
  const first = seen[0] ?? ''
  const last = seen.at(-1) ?? ''
  const ordered = page.minId ? items.reverse() : items
  return {
    items: ordered,
    statuses: isWhole ? only.statuses : [...new Map(parts.flatMap((part) => part.statuses).map((view) => [view.id, view])).values()],
    accounts: isWhole ? only.accounts : [...new Map(parts.flatMap((part) => part.accounts).map((view) => [view.id, view])).values()],
    cursors: { first: page.minId ? last : first, last: page.minId ? first : last, isFull: seen.length >= page.limit && page.limit > 0 },
    isRebuilding: false,
  }
}
