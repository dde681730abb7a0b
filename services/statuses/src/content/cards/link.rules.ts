import { createHash } from 'node:crypto'
import { tokenize } from '@rookery/markup'

/** A link as its author typed it, and the page behind it, which all links that differ in the fragment share. */
export type Link = { url: string; pageUrl: string; digest: string }

/** Text that was typed as a link. Undefined for what is no address. */
export const linkOf = (typed: string): Link | undefined => {
  const url = URL.parse(typed)
  if (!url) return undefined
  const { href } = url
  url.hash = ''
  return { url: href, pageUrl: url.href, digest: createHash('sha256').update(url.href).digest('base64url') }
}

/** The link a status shows a card of: the first of its text that leads elsewhere, unless it shows files (beyond-the-spec 1.9). */
export const linkShown = (status: { text: string; attachments: readonly unknown[] }, baseUrl: string): string | undefined => {
  if (status.attachments.length > 0) return undefined
  const { host } = new URL(baseUrl)
  for (const token of tokenize(status.text)) {
    const url = token.kind === 'url' ? URL.parse(token.url) : null
    if (url && url.host !== host) return url.href
  }
  return undefined
}
