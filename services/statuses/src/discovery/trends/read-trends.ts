import { PAGE_SIZES } from '@rookery/contracts/limits'
import {
  type LinkTrend,
  type LinkTrends,
  type ReadLinkTimelineRequest,
  type ReadTrendsRequest,
  type StatusPage,
  type TagTrend,
  type TagTrends,
  TrendReview,
} from '@rookery/contracts/statuses'
import { type Database, pageWithin, rowsWithin } from '@rookery/database'
import { notFound, orNotFound } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import type { StatusesConfig } from '../../config.ts'
import { cardMessage, linkOf } from '../../content/cards/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { historyOf, readTagMarks, withHistories } from '../../timelines/tags/index.ts'
import type { Views } from '../../views/index.ts'
import { readLinkSkeleton } from './link-timeline.store.ts'
import { readStatusTrends, readUndecided } from './status-trend.store.ts'
import { dayOf, HALF_LIVES, minRank } from './trend.rules.ts'
import { type LinkTrendRow, readLinkTrends, readTagTrends, type Shown, type TagTrendRow } from './trend.store.ts'
import { readDays } from './use.store.ts'

type Deps = { database: Database<StatusesTables>; clock: Clock; views: Views; config: Pick<StatusesConfig, 'trends'> }
type Mode = StatusesConfig['trends']['mode']
type Part = Pick<ReadTrendsRequest, 'limit' | 'offset' | 'forReview'>

const SHOWN: Record<Mode, Shown | undefined> = { automatic: 'not rejected', reviewed: 'approved', off: undefined }

/** Which trends a page shows; undefined for none. */
const shownTo = (mode: Mode, { limit, forReview }: Part): Shown | undefined => {
  if (limit === 0) return undefined
  return forReview ? 'all' : SHOWN[mode]
}

/** A decision as an enum of the contract. */
export const reviewOf = (isApproved: boolean | null): TrendReview => {
  if (isApproved === null) return TrendReview.UNSPECIFIED
  return isApproved ? TrendReview.APPROVED : TrendReview.REJECTED
}

/** A decision, and whether one is required before the trend is public. */
export const reviewed = (isApproved: boolean | null, mode: Mode) => ({
  review: reviewOf(isApproved),
  requiresReview: mode === 'reviewed' && isApproved === null,
})

/** The counted days of a history. */
const recentDays = ({ database, clock }: Deps, kind: 'tag' | 'link', keys: readonly string[]) =>
  readDays(database, { kind, keys, since: dayOf(clock.now()) - 6 })

/** Tags with their trends, whether they trend or not: two statements for a viewer, one for an anonymous reader. */
export const tagTrends =
  (deps: Deps) =>
  async (viewerId: string, rows: readonly TagTrendRow[]): Promise<TagTrend[]> => {
    const names = rows.map(({ name }) => name)
    const [days, marks] = await Promise.all([
      recentDays(deps, 'tag', names),
      viewerId ? readTagMarks(deps.database, { viewerId, names }) : [],
    ])
    const marksOf = new Map(marks.map((mark) => [mark.name, mark]))
    const uses = days.map(({ key, ...day }) => ({ name: key, ...day }))
    return withHistories(rows, uses, deps.clock.now()).map((tag, index) => ({
      tag: { ...tag, ...marksOf.get(tag.name) },
      ...reviewed(rows[index]!.isApproved, deps.config.trends.mode),
      isUnusable: !rows[index]!.isUsable,
      isUnlisted: !rows[index]!.isListable,
    }))
  }

/** Links with their trends: one statement, two if a page names its author. */
export const linkTrends =
  (deps: Deps) =>
  async (rows: readonly LinkTrendRow[]): Promise<LinkTrend[]> => {
    const digests = rows.map(({ digest }) => digest)
    const [days, authors] = await Promise.all([
      recentDays(deps, 'link', digests),
      deps.views.cardAuthors(rows.map(({ id, card }) => ({ id, creator: card.creator }))),
    ])
    const byDigest = Map.groupBy(days, ({ key }) => key)
    return rows.map(({ id, digest, url, card, isApproved }) => ({
      id,
      card: cardMessage({ ...card, url }),
      cardAuthor: authors.get(id),
      history: historyOf(byDigest.get(digest) ?? [], deps.clock.now()),
      ...reviewed(isApproved, deps.config.trends.mode),
    }))
  }

/** Trending tags, highest score first (spec, Trends): two statements, three for a viewer. */
export const readTags = (deps: Deps) => {
  const show = tagTrends(deps)
  return async (request: ReadTrendsRequest): Promise<TagTrends> => {
    const part = { ...request, limit: rowsWithin(PAGE_SIZES.trends, request.limit) }
    const shown = shownTo(deps.config.trends.mode, part)
    const floor = minRank(deps.clock.now(), HALF_LIVES.tag)
    const rows = shown ? await readTagTrends[shown](deps.database, { ...part, floor }) : []
    return { tags: rows.length > 0 ? await show(request.viewerId, rows) : [], isFull: rows.length > 0 && rows.length === part.limit }
  }
}

/** Trending links, highest score first (spec, Trends): two statements. */
export const readLinks = (deps: Deps) => {
  const show = linkTrends(deps)
  return async (request: ReadTrendsRequest): Promise<LinkTrends> => {
    const part = { ...request, limit: rowsWithin(PAGE_SIZES.trends, request.limit) }
    const shown = shownTo(deps.config.trends.mode, part)
    const floor = minRank(deps.clock.now(), HALF_LIVES.link)
    const rows = shown ? await readLinkTrends[shown](deps.database, { ...part, floor }) : []
    return { links: rows.length > 0 ? await show(rows) : [], isFull: rows.length > 0 && rows.length === part.limit }
  }
}

const NO_STATUSES: StatusPage = { items: [], statuses: [], accounts: [], cursors: undefined, isRebuilding: false }

/** Trending statuses, highest score first, as a viewer sees them (spec, Trends): one statement with a warm cache. */
export const readStatuses =
  ({ database, clock, views, config }: Deps) =>
  async (request: ReadTrendsRequest): Promise<StatusPage> => {
    const part = { ...request, limit: rowsWithin(PAGE_SIZES.statuses, request.limit) }
    const shown = shownTo(config.trends.mode, part)
    if (!shown) return NO_STATUSES
    const now = new Date(clock.now())
    const wanted = { ...part, viewerId: request.viewerId || '0', now, floor: minRank(now.getTime(), HALF_LIVES.status) }
    const skeleton = await readStatusTrends(database, shown, wanted)
    const page = await views.present(request.viewerId, skeleton, 'timeline')
    return { ...page, cursors: { first: '', last: '', isFull: skeleton.ids.length === part.limit } }
  }

/** Those of some statuses that only trend once a moderator has approved them, where none has decided yet. */
export const findUndecided =
  ({ database, config }: Deps) =>
  async (ids: readonly string[]): Promise<string[]> => {
    if (config.trends.mode !== 'reviewed' || ids.length === 0) return []
    const rows = await readUndecided(database, { ids: ids.slice(0, PAGE_SIZES.statuses.max) })
    return rows.map(({ id }) => id)
  }

const MINUTE = 60_000

/** Public statuses that link to a page, newest first, while the page trends (beyond-the-spec 2.3). @throws Failure not_found if it does not */
export const readLinkTimeline =
  ({ database, clock, views, config }: Deps) =>
  async ({ viewerId, url, page: wanted }: ReadLinkTimelineRequest): Promise<StatusPage> => {
    const { digest } = orNotFound(linkOf(url), `${url} is no address`)
    const shown = orNotFound(SHOWN[config.trends.mode], 'nothing trends here')
    // Rounded to the minute, so that concurrent readers send the same parameters and share the page.
    const floor = minRank(clock.now() - (clock.now() % MINUTE), HALF_LIVES.link)
    const page = pageWithin(PAGE_SIZES.statuses, wanted)
    return views.page(viewerId, page, async (part) => {
      const { skeleton, isTrending } = await readLinkSkeleton(database, { viewerId, shown, digest, floor }, part)
      if (!isTrending) throw notFound(`${url} does not trend`)
      return skeleton
    })
  }
