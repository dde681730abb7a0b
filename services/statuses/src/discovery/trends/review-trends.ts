import {
  type LinkTrend,
  type ReviewNamedTrendRequest,
  type ReviewTrendRequest,
  type StatusPage,
  type TagTrend,
  type Trend,
  TrendKind,
} from '@rookery/contracts/statuses'
import { type Database, type Tx, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { invalid, notFound, orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { StatusesConfig } from '../../config.ts'
import { linkOf } from '../../content/cards/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { tagOf } from '../../timelines/tags/index.ts'
import type { Views } from '../../views/index.ts'
import { linkTrends, reviewOf, tagTrends } from './read-trends.ts'
import { listStatusTrends, reviewStatus } from './status-trend.store.ts'
import { trendReviewed } from './trend.events.ts'
import { HALF_LIVES, minRank } from './trend.rules.ts'
import { readLinkTrend, readLinkTrends, readTagById, readTagTrends, reviewUsed } from './trend.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock; views: Views; config: Pick<StatusesConfig, 'trends'> }

/** What is decided about a trend, by whom; no staffId for an operator. */
type Decision = { isApproved: boolean; staffId: string; target: string }

/** Writes a decision and has it logged, in one transaction. */
const deciding =
  ({ database, outbox }: Deps) =>
  <Row>({ isApproved, staffId, target }: Decision, write: (tx: Tx<StatusesTables>) => Promise<Row[]>): Promise<Row | undefined> =>
    transact(database.db, async (tx) => {
      const [row] = await write(tx)
      if (row) await outbox.append(tx, [trendReviewed({ isApproved, staffId, target })])
      return row
    })

/** Decides whether a tag may trend, by its id (beyond-the-spec 2.6). @throws Failure not_found */
export const reviewTag = (deps: Deps) => {
  const show = tagTrends(deps)
  const decide = deciding(deps)
  return async ({ id, isApproved, viewerId }: ReviewTrendRequest): Promise<TagTrend> => {
    const tag = orNotFound((await readTagById(deps.database, { id }))[0], `no tag ${id}`)
    const used = { kind: 'tag', key: tag.name, isApproved } as const
    await decide({ isApproved, staffId: viewerId, target: `#${tag.name}` }, (tx) => reviewUsed(tx, used))
    return (await show(viewerId, [{ ...tag, isApproved }]))[0]!
  }
}

/** Decides whether a link may trend, by its id (beyond-the-spec 2.6). @throws Failure not_found */
export const reviewLink = (deps: Deps) => {
  const show = linkTrends(deps)
  const decide = deciding(deps)
  return async ({ id, isApproved, viewerId }: ReviewTrendRequest): Promise<LinkTrend> => {
    const link = orNotFound((await readLinkTrend(deps.database, { id }))[0], `no link ${id}`)
    const used = { kind: 'link', key: link.digest, isApproved } as const
    await decide({ isApproved, staffId: viewerId, target: link.url }, (tx) => reviewUsed(tx, used))
    return (await show([{ ...link, isApproved }]))[0]!
  }
}

/** Decides whether a public status may trend (beyond-the-spec 2.6). @throws Failure not_found */
export const reviewTrendingStatus = (deps: Deps) => {
  const decide = deciding(deps)
  return async ({ id, isApproved, viewerId }: ReviewTrendRequest): Promise<StatusPage> => {
    const decided = await decide({ isApproved, staffId: viewerId, target: id }, (tx) => reviewStatus(tx, { id, isApproved }))
    orNotFound(decided, `no public status ${id}`)
    return deps.views.byIds(viewerId, [id], 'direct')
  }
}

/** Trends that an operator is shown at once. */
const MAX_LISTED = 100

/** What trends, the highest first, whatever was decided about it. @throws Failure invalid for a kind there is not */
export const listTrends =
  ({ database, clock }: Deps) =>
  async (kind: TrendKind): Promise<Trend[]> => {
    const page = (halfLife: number) => ({ floor: minRank(clock.now(), halfLife), limit: MAX_LISTED, offset: 0 })
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
export const reviewNamedTrend = (deps: Deps) => {
  const decide = deciding(deps)
  return async ({ kind, name, isApproved }: ReviewNamedTrendRequest): Promise<Trend> => {
    const decision = { isApproved, staffId: '', target: name }
    const trend = { kind, name, title: '', review: reviewOf(isApproved) }
    if (kind === TrendKind.STATUS) {
      if (!isId(name)) throw notFound(`${name} is no id`)
      const decided = await decide(decision, (tx) => reviewStatus(tx, { id: name, isApproved }))
      return { ...trend, title: orNotFound(decided, `no public status ${name}`).username }
    }
    const used = kind === TrendKind.TAG ? 'tag' : kind === TrendKind.LINK ? 'link' : undefined
    if (!used) throw invalid('Kind is not included in the list')
    const key = keyOf(used, name)
    orNotFound(await decide(decision, (tx) => reviewUsed(tx, { kind: used, key, isApproved })), `no one used ${name}`)
    return trend
  }
}
