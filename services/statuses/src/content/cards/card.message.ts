import type { PreviewCard } from '@rookery/contracts/statuses'
import type { StoredCard } from '../../database/tables/card.ts'

/** A card as a status shows it: the same for all statuses, except for the url, which is the link as typed. */
export type ShownCard = StoredCard & { url: string }

/** A card as a message. */
export const cardMessage = (card: ShownCard): PreviewCard => ({
  url: card.url,
  title: card.title,
  description: card.description,
  language: card.language,
  type: card.type,
  authorName: card.author_name,
  authorUrl: card.author_url,
  providerName: card.provider_name,
  providerUrl: card.provider_url,
  html: card.html,
  width: card.width,
  height: card.height,
  imageUrl: card.image_url,
  imageDescription: card.image_description,
  embedUrl: card.type === 'photo' ? card.image_url : '',
  blurhash: card.blurhash,
  publishedAtMilliseconds: card.published_at ?? undefined,
})
