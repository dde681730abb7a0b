import {
  type LinkTrend,
  type ReviewNamedTrendRequest,
  type ReviewTrendRequest,
  type StatusPage,
  type TagTrend,
  type Trend,
  TrendKind,
} from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import { invalid, notFound, orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { StatusesConfig } from '../../config.ts'
import { linkOf } from '../../content/cards/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { readTagRow, tagOf } from '../../timelines/tags/index.ts'
import type { Views } from '../../views/index.ts'
import { linkTrends, reviewOf, tagTrends } from './read-trends.ts'
import { listStatusTrends, reviewStatus } from './status-trend.store.ts'
import { HALF_LIVES, leastRank } from './trend.rules.ts'
import { readLinkTrend, readLinkTrends, readTagById, readTagTrends, reviewUsed } from './trend.store.ts'

type Deps = { database: Database<StatusesTables>; clock: Clock; views: Views; config: Pick<StatusesConfig, 'trends'> }

/** Decides whether a tag may trend, by its id (beyond-the-spec 2.6). @throws Failure not_found */
export const reviewTag = (deps: Deps) => {
  const show = tagTrends(deps)
  return async ({ id, isApproved, viewerId }: ReviewTrendRequest): Promise<TagTrend> => {
    const { name } = orNotFound((await readTagById(deps.database, { id }))[0], `no tag ${id}`)
    await reviewUsed(deps.database, { kind: 'tag', key: name, isApproved })
    const row = orNotFound((await readTagRow(deps.database, { name }))[0])
    return (await show(viewerId, [{ ...row, name, isApproved }]))[0]!
  }
}

/** Decides whether a link may trend, by its id (beyond-the-spec 2.6). @throws Failure not_found */
export const reviewLink = (deps: Deps) => {
  const show = linkTrends(deps)
  return async ({ id, isApproved }: ReviewTrendRequest): Promise<LinkTrend> => {
    const link = orNotFound((await readLinkTrend(deps.database, { id }))[0], `no link ${id}`)
    await reviewUsed(deps.database, { kind: 'link', key: link.digest, isApproved })
    return (await show([{ ...link, isApproved }]))[0]!
  }
}

/** Decides whether a public status may trend (beyond-the-spec 2.6). @throws Failure not_found */
export const reviewTrendingStatus =
  ({ database, views }: Deps) =>
  async ({ id, isApproved, viewerId }: ReviewTrendRequest): Promise<StatusPage> => {
    orNotFound((await reviewStatus(database, { id, isApproved }))[0], `no public status ${id}`)
    return views.byIds(viewerId, [id], 'direct')
  }

/** Trends that an operator is shown at once. */
const MAX_LISTED = 100

/** What trends, the highest first, whatever was decided about it. @throws Failure invalid for a kind there is not */
export const listTrends =
  ({ database, clock }: Deps) =>
  async (kind: TrendKind): Promise<Trend[]> => {
    const page = (halfLife: number) => ({ floor: leastRank(clock.now(), halfLife), limit: MAX_LISTED, offset: 0 })
    switch (kind) {
      case TrendKind.TAG:
        return (await readTagTrends.all(database, page(HALF_LIVES.tag))).map(({ display, isApproved }) => ({
          kind,
          name: display,
          title: '',
          review: reviewOf(isApproved),
        }))
      case TrendKind.LINK:
        return (await readLinkTrends.all(database, page(HALF_LIVES.link))).map(({ url, card, isApproved }) => ({
          kind,
          name: url,
          title: card.title,
          review: reviewOf(isApproved),
        }))
      case TrendKind.STATUS:
        return (await listStatusTrends(database, page(HALF_LIVES.status))).map(({ id, username, isApproved }) => ({
          kind,
          name: id,
          title: username,
          review: reviewOf(isApproved),
        }))
      default:
        throw invalid('Kind is not included in the list')
    }
  }

/** The key that a tag or a link has. @throws Failure not_found for what is none */
const keyOf = (kind: 'tag' | 'link', name: string): string =>
  kind === 'tag' ? orNotFound(tagOf(name), `${name} is no tag`).name : orNotFound(linkOf(name), `${name} is no address`).digest

/** Decides by the name that listTrends says. @throws Failure not_found, invalid for a kind there is not */
export const reviewNamedTrend =
  ({ database }: Deps) =>
  async ({ kind, name, isApproved }: ReviewNamedTrendRequest): Promise<Trend> => {
    const trend = { kind, name, title: '', review: reviewOf(isApproved) }
    if (kind === TrendKind.STATUS) {
      if (!isId(name)) throw notFound(`${name} is no id`)
      const { username } = orNotFound((await reviewStatus(database, { id: name, isApproved }))[0], `no public status ${name}`)
      return { ...trend, title: username }
    }
    const used = kind === TrendKind.TAG ? 'tag' : kind === TrendKind.LINK ? 'link' : undefined
    if (!used) throw invalid('Kind is not included in the list')
    orNotFound((await reviewUsed(database, { kind: used, key: keyOf(used, name), isApproved }))[0], `no one used ${name}`)
    return trend
  }
