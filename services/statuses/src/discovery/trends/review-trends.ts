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
import { domainName } from '@rookery/domain-names'
import type { Outbox } from '@rookery/events'
import { invalid, notFound, orNotFound } from '@rookery/failures'
import { isId } from '@rookery/ids'
import type { Clock } from '@rookery/runtime'
import type { StatusesConfig } from '../../config.ts'
import { linkOf } from '../../content/cards/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { tagOf } from '../../timelines/tags/index.ts'
import type { Views } from '../../views/index.ts'
import { decideTrend } from './decide-trend.ts'
import { readPublisherPage, reviewPublisherByDomain } from './publisher.store.ts'
import { linkTrends, reviewOf, tagTrends } from './read-trends.ts'
import { listStatusTrends, reviewStatus } from './status-trend.store.ts'
import { HALF_LIVES, minRank } from './trend.rules.ts'
import { readLinkTrend, readLinkTrends, readTagById, readTagTrends, reviewUsed } from './trend.store.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock; views: Views; config: Pick<StatusesConfig, 'trends'> }

/** Decides whether a tag may trend, by its id (beyond-the-spec 2.6). @throws Failure not_found */
export const reviewTag = (deps: Deps) => {
  const show = tagTrends(deps)
  const decide = decideTrend(deps)
  return async ({ id, isApproved, viewerId }: ReviewTrendRequest): Promise<TagTrend> => {
    const tag = orNotFound((await readTagById(deps.database, { id }))[0], `no tag ${id}`)
    const used = { kind: 'tag', key: tag.name, isApproved } as const
    await decide({ isApproved, staffId: viewerId, targetOf: () => `#${tag.name}` }, (tx) => reviewUsed(tx, used))
    return (await show(viewerId, [{ ...tag, isApproved }]))[0]!
  }
}

/** Decides whether a link may trend, by its id (beyond-the-spec 2.6). @throws Failure not_found */
export const reviewLink = (deps: Deps) => {
  const show = linkTrends(deps)
  const decide = decideTrend(deps)
  return async ({ id, isApproved, viewerId }: ReviewTrendRequest): Promise<LinkTrend> => {
    const link = orNotFound((await readLinkTrend(deps.database, { id }))[0], `no link ${id}`)
    const used = { kind: 'link', key: link.digest, isApproved } as const
    await decide({ isApproved, staffId: viewerId, targetOf: () => link.url }, (tx) => reviewUsed(tx, used))
    return (await show([{ ...link, isApproved }]))[0]!
  }
}

/** Decides whether a public status may trend (beyond-the-spec 2.6). @throws Failure not_found */
export const reviewTrendingStatus = (deps: Deps) => {
  const decide = decideTrend(deps)
  return async ({ id, isApproved, viewerId }: ReviewTrendRequest): Promise<StatusPage> => {
    const decided = await decide({ isApproved, staffId: viewerId, targetOf: () => id }, (tx) => reviewStatus(tx, { id, isApproved }))
    orNotFound(decided, `no public status ${id}`)
    return deps.views.byIds(viewerId, [id], 'direct')
  }
}

/** Maximum trends listed for an operator. */
const MAX_LISTED = 100

/** Lists trends, highest first, approved or not. @throws Failure invalid for an unknown kind */
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
      case TrendKind.PUBLISHER:
        return (await readPublisherPage(database, { page: { limit: MAX_LISTED } })).map(({ domain, isApproved }) => ({
          kind,
          name: domain,
          title: '',
          review: reviewOf(isApproved),
        }))
      default:
        throw invalid('Kind is not included in the list')
    }
  }

/** The key of a tag or a link. @throws Failure not_found for an invalid one */
const keyOf = (kind: 'tag' | 'link', name: string): string =>
  kind === 'tag' ? orNotFound(tagOf(name), `${name} is no tag`).name : orNotFound(linkOf(name), `${name} is no address`).digest

/** Decides about a trend by its name in listTrends. @throws Failure not_found; invalid for an unknown kind */
export const reviewNamedTrend = (deps: Deps) => {
  const decide = decideTrend(deps)
  const review = async ({ kind, name, isApproved }: ReviewNamedTrendRequest): Promise<{ name?: string; title?: string } | undefined> => {
    const decision = { isApproved, staffId: '', targetOf: () => name }
    const reviewKey = (used: 'tag' | 'link') => {
      const key = keyOf(used, name)
      return decide(decision, async (tx) => (await reviewUsed(tx, { kind: used, key, isApproved })).map(() => ({})))
    }
    switch (kind) {
      case TrendKind.TAG:
        return reviewKey('tag')
      case TrendKind.LINK:
        return reviewKey('link')
      case TrendKind.STATUS:
        if (!isId(name)) throw notFound(`${name} is no id`)
        return decide(decision, async (tx) => (await reviewStatus(tx, { id: name, isApproved })).map(({ username: title }) => ({ title })))
      case TrendKind.PUBLISHER: {
        const now = new Date(deps.clock.now())
        const domain = domainName(name)?.replace(/^www\./, '') ?? ''
        return decide(decision, async (tx) =>
          (await reviewPublisherByDomain(tx, { domain, isApproved, now })).map(() => ({ name: domain })),
        )
      }
      default:
        throw invalid('Kind is not included in the list')
    }
  }
  return async (request: ReviewNamedTrendRequest): Promise<Trend> => {
    const { kind, name, isApproved } = request
    return { kind, name, title: '', review: reviewOf(isApproved), ...orNotFound(await review(request), `nothing is known of ${name}`) }
  }
}
