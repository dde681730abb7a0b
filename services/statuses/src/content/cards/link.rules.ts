import { createHash } from 'node:crypto'
import { tokenize } from '@rookery/markup'

/** A link as its author typed it, and its page, which links that differ only in the fragment share. */
export type Link = { url: string; pageUrl: string; digest: string }

/** Parses a typed link; undefined if it is not a URL. */
export const linkOf = (typed: string): Link | undefined => {
  const url = URL.parse(typed)
  if (!url) return undefined
  const { href } = url
  url.hash = ''
  return { url: href, pageUrl: url.href, digest: createHash('sha256').update(url.href).digest('base64url') }
}

/** The link whose card a status shows: the first external one in its text, unless it has attachments (beyond-the-spec 1.9). */
export const linkShown = (status: { text: string; attachments: readonly unknown[] }, baseUrl: string): string | undefined => {
  if (status.attachments.length > 0) return undefined
  const { host } = new URL(baseUrl)
  for (const token of tokenize(status.text)) {
    const url = token.kind === 'url' ? URL.parse(token.url) : null
    if (url && url.host !== host) return url.href
  }
  return undefined
}
