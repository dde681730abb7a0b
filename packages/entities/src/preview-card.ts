import type { PreviewCard } from '@rookery/contracts/statuses'
import { jsonWith } from './json-with.ts'
import { timestamp } from './timestamp.ts'

const OPEN_LIST = Buffer.from('[')
const CLOSE_LIST = Buffer.from(']')

/** PreviewCard (beyond-the-spec 1.1), without the author's account. */
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

/** The author of a page with their account, which is already JSON. */
export const authorsJson = ({ authorName, authorUrl }: PreviewCard, account: Buffer): Buffer =>
  Buffer.concat([OPEN_LIST, jsonWith({ name: authorName, url: authorUrl }, { account }), CLOSE_LIST])

/** PreviewCard as JSON, with the author's account. */
export const attributedCardJson = (card: PreviewCard, account: Buffer): Buffer => {
  const { authors: _, ...entity } = previewCardEntity(card)
  return jsonWith(entity, { authors: authorsJson(card, account) })
}
