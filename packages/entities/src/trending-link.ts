import type { LinkTrend } from '@rookery/contracts/statuses'
import { previewCardEntity } from './preview-card.ts'
import { historyEntity } from './tag.ts'

/** Trends::Link (spec, Resources): a preview card and how often it was linked; undefined for a link without a card. */
export const trendingLinkEntity = ({ card, history }: LinkTrend) => card && { ...previewCardEntity(card), history: historyEntity(history) }

/** The same for moderators, with the id that they approve or reject it by (beyond-the-spec 2.6). */
export const adminTrendingLinkEntity = (trend: LinkTrend) => {
  const link = trendingLinkEntity(trend)
  return link && { id: trend.id, ...link, requires_review: trend.requiresReview }
}
