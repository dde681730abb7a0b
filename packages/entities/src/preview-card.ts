import type { PreviewCard } from '@rookery/contracts/statuses'
import { timestamp } from './timestamp.ts'

/** What a link in a status leads to (beyond-the-spec 1.1, PreviewCard). Its author is no one of this server as far as known. */
export const previewCardEntity = (card: PreviewCard) => ({
  url: card.url,
  title: card.title,
  description: card.description,
  language: card.language || null,
  type: card.type,
  author_name: card.authorName,
  author_url: card.authorUrl,
  provider_name: card.providerName,
  provider_url: card.providerUrl,
  html: card.html,
  width: card.width,
  height: card.height,
  image: card.imageUrl || null,
  image_description: card.imageDescription,
  embed_url: card.embedUrl,
  blurhash: card.blurhash || null,
  published_at: card.publishedAtMilliseconds === undefined ? null : timestamp(card.publishedAtMilliseconds),
  authors: card.authorName ? [{ name: card.authorName, url: card.authorUrl, account: null }] : [],
})
