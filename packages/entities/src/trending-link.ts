import type { AccountView, LinkTrend } from '@rookery/contracts/statuses'
import { extendedJson, jsonWith } from './json-with.ts'
import { authorsJson, previewCardEntity } from './preview-card.ts'
import { historyEntity } from './tag.ts'

type RenderAccount = (view: AccountView) => Buffer

/** Trends::Link (spec, Resources) as JSON: a preview card and how often it was linked; undefined for a link without a card. */
export const trendingLinkJson = (
  { card, cardAuthor, history }: LinkTrend,
  account: RenderAccount,
  more: object = {},
): Buffer | undefined => {
  if (!card) return undefined
  const { authors, ...entity } = previewCardEntity(card)
  const written = cardAuthor ? authorsJson(card, account(cardAuthor)) : Buffer.from(JSON.stringify(authors))
  return jsonWith({ ...more, ...entity, history: historyEntity(history) }, { authors: written })
}

/** Trends::Link for moderators, with the id by which they approve or reject it (beyond-the-spec 2.6). */
export const adminTrendingLinkJson = (trend: LinkTrend, account: RenderAccount): Buffer | undefined =>
  trendingLinkJson(trend, account, { id: trend.id, requires_review: trend.requiresReview })

/** A status that trends for moderators, with whether it only does so in public once they approve it. */
export const adminTrendingStatusJson = (status: Buffer, requiresReview: boolean): Buffer =>
  extendedJson(status, { requires_review: Buffer.from(String(requiresReview)) })
