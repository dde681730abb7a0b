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
import { createPresenter } from './presenter.ts'
import { type ReadPart, readPage } from './read-page.ts'
import { type Skeleton, skeletonByIds } from './skeleton.store.ts'
import { readStatusRows } from './status-body.store.ts'

/** Builds pages: skeleton → hydrate → rules → present. Only the first two await. */
export type Views = AccountViews & {
  /** A page of a list. When rules leave it short it reads on from the last row, a bounded number of times. */
  page(viewerId: string, page: Page, read: ReadPart, judgement?: Judgement): Promise<StatusPage>
  /** Versions, counters and the viewer's flags of these statuses, in one statement. */
  skeleton(viewerId: string, ids: readonly string[]): Promise<Skeleton>
  /** A skeleton as a page, by the rules, without cursors. */
  present(viewerId: string, skeleton: Skeleton, judgement: Judgement): Promise<StatusPage>
  /** A skeleton as a page for an anonymous reader: audiences are judged by the caller. */
  presentForAll(skeleton: Skeleton): Promise<StatusPage>
  /** Which statuses of a skeleton the viewer is shown, in its order. */
  shown(viewerId: string, skeleton: Skeleton, judgement: Judgement): Promise<string[]>
  /** What of these statuses the viewer may see, in the order given. */
  byIds(viewerId: string, ids: readonly string[], judgement: Judgement): Promise<StatusPage>
  /** The accounts of those who wrote what cards show, by the ids given with them. One statement, two cold; none where no page names anyone. */
  cardAuthors(shown: readonly WithCard[]): Promise<ReadonlyMap<string, AccountView>>
  /** Which of these statuses the viewer may see, in the order given, and nothing of what they say. One statement warm. */
  visibleIds(viewerId: string, ids: readonly string[], judgement: Judgement): Promise<string[]>
  /**
   * What of these viewers' filters fits, by the least version of each viewer's context: `ids` are those of the status and of what it boosts,
   * `text` is the status that is read. Viewers whose filters do not match are left out. No statement when everything is in memory.
   */
  filteredFor(
    viewers: ReadonlyMap<string, number>,
    deps: { ids: readonly string[]; text: { id: string; version: number } },
  ): Promise<Map<string, Filtered>>
  /** Keeps what was written and committed, so that the next reader need not load it. */
  keep(written: { status?: StatusEntry; account?: AccountEntry }): void
}

type FilterParts = {
  contexts: ReturnType<typeof hydrateContexts>
  statuses: VersionedCache<StatusEntry>
  textOf: ReturnType<typeof statusTexts>
}

/** What of the filters of some viewers a status fits, once their contexts and its text are there. */
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

/** The view builder over one database, with its caches in a pool. */
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
    clock: deps.clock,
  })

  return {
    ...accountViews({ database, accounts, followMoves }),
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
