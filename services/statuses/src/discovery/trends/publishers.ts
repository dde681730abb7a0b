import { PAGE_SIZES } from '@rookery/contracts/limits'
import type { ListPublishersRequest, Publisher, PublisherPage, ReviewTrendRequest } from '@rookery/contracts/statuses'
import { cursorsOf, type Database, pageWithin } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { orNotFound } from '@rookery/failures'
import type { Clock } from '@rookery/runtime'
import type { StatusesConfig } from '../../config.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { decideTrend } from './decide-trend.ts'
import { type PublisherRow, readPublisherPage, reviewPublisherById } from './publisher.store.ts'
import { reviewed } from './read-trends.ts'

type Deps = { database: Database<StatusesTables>; outbox: Outbox; clock: Clock; config: Pick<StatusesConfig, 'trends'> }

const publisherMessage = ({ id, domain, requestedAt, reviewedAt, isApproved }: PublisherRow, { config }: Deps): Publisher => ({
  id,
  domain,
  requestedAtMilliseconds: requestedAt.getTime(),
  reviewedAtMilliseconds: reviewedAt?.getTime(),
  ...reviewed(isApproved, config.trends.mode),
})

/** The publishers of links that trended, latest first (beyond-the-spec 2.6). */
export const listPublishers =
  (deps: Deps) =>
  async ({ page: wanted }: ListPublishersRequest): Promise<PublisherPage> => {
    const page = pageWithin(PAGE_SIZES.staff, wanted)
    const { rows, cursors } = cursorsOf(page, await readPublisherPage(deps.database, { page }), ({ id }) => id)
    return { publishers: rows.map((row) => publisherMessage(row, deps)), cursors }
  }

/**
 * Decides, by the publisher's id, whether its links may trend; decisions about single links take precedence (beyond-the-spec 2.6).
 * @throws Failure not_found
 */
export const reviewPublisher = (deps: Deps) => {
  const decide = decideTrend(deps)
  return async ({ id, isApproved, viewerId }: ReviewTrendRequest): Promise<Publisher> => {
    const now = new Date(deps.clock.now())
    const row = await decide({ isApproved, staffId: viewerId, targetOf: ({ domain }: PublisherRow) => domain }, (tx) =>
      reviewPublisherById(tx, { id, isApproved, now }),
    )
    return publisherMessage(orNotFound(row, `no publisher ${id}`), deps)
  }
}
