import { type Publisher, TrendReview } from '@rookery/contracts/statuses'
import { timestamp } from './timestamp.ts'

const TRENDABLE: Partial<Record<TrendReview, boolean>> = { [TrendReview.APPROVED]: true, [TrendReview.REJECTED]: false }

/** Admin::Trends::Links::PreviewCardProvider (beyond-the-spec 2.6): a site whose links trended; `trendable` is null until staff decide. */
export const publisherEntity = ({ id, domain, review, reviewedAtMilliseconds, requestedAtMilliseconds, requiresReview }: Publisher) => ({
  id,
  domain,
  trendable: TRENDABLE[review] ?? null,
  reviewed_at: reviewedAtMilliseconds === undefined ? null : timestamp(reviewedAtMilliseconds),
  requested_review_at: timestamp(requestedAtMilliseconds),
  requires_review: requiresReview,
})
