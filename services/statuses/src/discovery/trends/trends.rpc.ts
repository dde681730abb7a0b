import { singleFlight } from '@rookery/batching'
import {
  type LinkTrends,
  type ReadTrendsRequest,
  type StatusPage,
  type TagTrends,
  TrendOperatorDefinition,
  TrendsDefinition,
} from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Handler, handler } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { StatusesConfig } from '../../config.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { changeTag, listTags, readTag } from './manage-tags.ts'
import { listPublishers, reviewPublisher } from './publishers.ts'
import { findUndecided, readLinks, readLinkTimeline, readStatuses, readTags } from './read-trends.ts'
import { listTrends, reviewLink, reviewNamedTrend, reviewTag, reviewTrendingStatus } from './review-trends.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock; views: Views; config: Pick<StatusesConfig, 'trends'> }

const keyOf = ({ viewerId, limit, offset, forReview }: ReadTrendsRequest) => `${viewerId}:${limit}:${offset}:${forReview}`

/** Serves Trends of the contract: trends, and moderators' decisions about them. Concurrent readers of the same page share one read. */
export const createTrendsRpc = (deps: Deps): Handler => {
  const [tags, links, statuses, timeline] = [readTags(deps), readLinks(deps), readStatuses(deps), readLinkTimeline(deps)]
  const [decideTag, decideLink, decideStatus] = [reviewTag(deps), reviewLink(deps), reviewTrendingStatus(deps)]
  const undecided = findUndecided(deps)
  const [publishers, decidePublisher] = [listPublishers(deps), reviewPublisher(deps)]
  const [listAll, readOne, change] = [listTags(deps), readTag(deps), changeTag(deps)]
  const [shareTags, shareLinks, shareStatuses] = [singleFlight<TagTrends>(), singleFlight<LinkTrends>(), singleFlight<StatusPage>()]
  return handler(TrendsDefinition, {
    readTags: (_call, request) => shareTags(keyOf(request), () => tags(request)),
    readLinks: (_call, request) => shareLinks(keyOf(request), () => links(request)),
    readStatuses: (_call, request) => shareStatuses(keyOf(request), () => statuses(request)),
    readLinkTimeline: (_call, request) => timeline(request),
    listPublishers: (_call, request) => publishers(request),
    reviewPublisher: (_call, request) => decidePublisher(request),
    reviewTag: (_call, request) => decideTag(request),
    reviewLink: (_call, request) => decideLink(request),
    reviewStatus: (_call, request) => decideStatus(request),
    findUndecidedStatuses: async (_call, { ids }) => ({ ids: await undecided(ids) }),
    listTags: (_call, request) => listAll(request),
    readTag: (_call, request) => readOne(request),
    changeTag: (_call, request) => change(request),
  })
}

/** Serves TrendOperator of the contract, on the operator's socket only. */
export const createTrendOperatorRpc = (deps: Deps): Handler => {
  const list = listTrends(deps)
  const review = reviewNamedTrend(deps)
  return handler(TrendOperatorDefinition, {
    list: async (_call, { kind }) => ({ trends: await list(kind) }),
    review: (_call, request) => review(request),
  })
}
