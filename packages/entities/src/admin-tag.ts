import { type TagTrend, TrendReview } from '@rookery/contracts/statuses'
import type { Addresses } from './addresses.ts'
import { tagEntity } from './tag.ts'

/** Admin::Tag (beyond-the-spec 2.6): a tag, and what moderators decided about it. */
export const adminTagEntity = ({ tag, review, requiresReview, isUnusable, isUnlisted }: TagTrend, urls: Addresses) =>
  tag && {
    ...tagEntity(tag, urls),
    trendable: review !== TrendReview.REJECTED && !requiresReview,
    usable: !isUnusable,
    listable: !isUnlisted,
    requires_review: requiresReview,
  }
