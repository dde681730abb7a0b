import type { LinkTrend } from '@rookery/contracts/statuses'
import { previewCardEntity } from './preview-card.ts'
import { historyEntity } from './tag.ts'

/** Trends::Link (spec, Resources): a preview card and how often it was linked. A list of one, or of none for a link without a card. */
export const trendingLinkEntity = ({ card, history }: LinkTrend) =>
  card ? [{ ...previewCardEntity(card), history: historyEntity(history) }] : []
