import type { CachePool } from '@rookery/cache'
import type { AccountView, Filtered, StatusPage } from '@rookery/contracts/statuses'
import type { Database, Page } from '@rookery/database'
import type { Clock } from '@rookery/runtime'
import type { Judgement } from '../audience/index.ts'
import type { StatusesTables } from '../database/schema.ts'
import { readAccountRows } from './account.store.ts'
import { type AccountViews, accountMoves, accountViews } from './account-views.ts'
import { readCardAuthors } from './card-author.store.ts'
import { cardAuthorFinder, type WithCard } from './hydrate/card-authors.ts'
import { hydrateContexts } from './hydrate/context.ts'
import { statusTexts } from './hydrate/texts.ts'
import { type VersionedCache, versionedCache } from './hydrate/versioned.ts'
import { type AccountEntry, presentAccount } from './present/account.ts'
import { filteredOf } from './present/filtered.ts'
import { presentStatus, type StatusEntry } from './present/status.ts'
import { createPresenter, presentedBytes } from './presenter.ts'
import { type ReadPart, readPage } from './read-page.ts'
import { type Skeleton, skeletonByIds } from './skeleton.store.ts'
import { readStatusRows } from './status-body.store.ts'

/** Builds pages: skeleton → hydrate → rules → present. Only the first two await. */
export type Views = AccountViews & {
  /** A page of a list. If rules leave it short, it reads on from the last row, a bounded number of times. */
  page(viewerId: string, page: Page, read: ReadPart, judgement?: Judgement): Promise<StatusPage>
  /** Versions, counters and the viewer's flags of these statuses, in one statement. */
  skeleton(viewerId: string, ids: readonly string[]): Promise<Skeleton>
  /** Presents a skeleton as a page, by the rules, without cursors. */
  present(viewerId: string, skeleton: Skeleton, judgement: Judgement): Promise<StatusPage>
  /** Presents a skeleton as a page for an anonymous reader; the caller checks the audience. */
  presentForAll(skeleton: Skeleton): Promise<StatusPage>
  /** The ids of a skeleton that the viewer may see, in order. */
  shown(viewerId: string, skeleton: Skeleton, judgement: Judgement): Promise<string[]>
  /** Those of these statuses that the viewer may see, in the order given. */
  byIds(viewerId: string, ids: readonly string[], judgement: Judgement): Promise<StatusPage>
  /** The accounts of the authors of cards, by the ids given. One statement, two with a cold cache; none if no page names an author. */
  cardAuthors(shown: readonly WithCard[]): Promise<ReadonlyMap<string, AccountView>>
  /** The ids of those of these statuses that the viewer may see, in the order given. One statement with a warm cache. */
  visibleIds(viewerId: string, ids: readonly string[], judgement: Judgement): Promise<string[]>
  /**
   * The viewers' matching filters, by the minimum version of each viewer's context: `ids` are those of the status and of the boosted one, `text` is
   * the status whose text is matched. Viewers without a match are left out. No statement if everything is cached.
   */
  filteredFor(
    viewers: ReadonlyMap<string, number>,
    deps: { ids: readonly string[]; text: { id: string; version: number } },
  ): Promise<Map<string, Filtered>>
  /** Caches records that were just committed, so that the next reader need not load them. */
  keep(written: { status?: StatusEntry; account?: AccountEntry }): void
}

type FilterParts = {
  contexts: ReturnType<typeof hydrateContexts>
  statuses: VersionedCache<StatusEntry>
  textOf: ReturnType<typeof statusTexts>
}

/** The matching filters of some viewers, after loading their contexts and the status's text. */
const filteredFor = async (
  { contexts, statuses, textOf }: FilterParts,
  viewers: ReadonlyMap<string, number>,
  { ids, text }: { ids: readonly string[]; text: { id: string; version: number } },
): Promise<Map<string, Filtered>> => {
  const filtered = new Map<string, Filtered>()
  if (viewers.size === 0) return filtered
  const [found, entries] = await Promise.all([contexts.hydrate(viewers), statuses.hydrate(new Map([[text.id, text.version]]))])
  const entry = entries.get(text.id)
  for (const [viewerId, { filters }] of found) {
    const fitting = filters && entry && filteredOf(filters, ids, () => textOf(entry))
    if (fitting) filtered.set(viewerId, fitting)
  }
  return filtered
}

/** Views over one database, with their caches in a pool. */
export const createViews = (deps: { database: Database<StatusesTables>; clock: Clock; pool: CachePool }): Views => {
  const { database, pool } = deps
  const contexts = hydrateContexts(deps)
  const textOf = statusTexts(pool)
  const statuses = versionedCache<StatusEntry>(
    async (ids) => (await readStatusRows(database, { ids })).map(presentStatus),
    pool.cache('statuses'),
  )
  const accounts = versionedCache<AccountEntry>(
    async (ids) => (await readAccountRows(database, { ids })).map(presentAccount),
    pool.cache('accounts'),
  )

  const followMoves = accountMoves(database, accounts)

  const findCardAuthors = cardAuthorFinder({
    readAuthors: (claims) => readCardAuthors(database, claims),
    hydrate: accounts.hydrate,
    followMoves,
  })

  const skeleton = (viewerId: string, ids: readonly string[]) => skeletonByIds(database, { viewerId: viewerId || '0', ids })

  const { shown, present, presentForAll } = createPresenter({
    contexts,
    statuses,
    accounts,
    followMoves,
    findCardAuthors,
    textOf,
    pages: pool.cache('pages', presentedBytes),
    clock: deps.clock,
  })

  return {
    ...accountViews({ database, accounts, followMoves, clock: deps.clock }),
    page: (viewerId, page, read, judgement = 'timeline') => readPage(page, read, (skeleton) => present(viewerId, skeleton, judgement)),
    skeleton,
    present,
    shown,
    presentForAll,
    cardAuthors: findCardAuthors,
    byIds: async (viewerId, ids, judgement) => present(viewerId, await skeleton(viewerId, ids), judgement),
    visibleIds: async (viewerId, ids, judgement) => shown(viewerId, await skeleton(viewerId, ids), judgement),
    filteredFor: (viewers, asked) => filteredFor({ contexts, statuses, textOf }, viewers, asked),
    keep({ status, account }) {
      if (status) statuses.put(status)
      if (account) accounts.put(account)
    },
  }
}
