import type { AccountBody, StatusBody } from '@rookery/contracts/statuses'
import type { Addresses } from './addresses.ts'
import { timestamp } from './timestamp.ts'

/** How long a page may cache the embed, in seconds. */
const CACHE_AGE = 86_400

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')

/** Plain HTML, a quotation without script, style sheet or frame, so that it shows on any page, whatever the page allows. */
const quotation = (status: StatusBody, author: { name: string; handle: string; profile: string }, url: string, width: number): string => {
  const said = status.spoilerText ? `<p>${escaped(status.spoilerText)}</p>` : status.content
  const time = timestamp(status.createdAtMilliseconds)
  const style = `max-width:${width}px;margin:0;padding:1em;border:1px solid #8889;border-radius:8px;overflow-wrap:anywhere`
  const language = status.language ? ` lang="${escaped(status.language)}"` : ''
  return `<blockquote cite="${escaped(url)}" style="${style}"><div${language}>${said}</div><footer><a href="${escaped(author.profile)}">${escaped(author.name)}</a> (${escaped(author.handle)}), <a href="${escaped(url)}"><time datetime="${time}">${time.slice(0, 10)}</time></a></footer></blockquote>`
}

/** A status for other sites to embed (oembed.com, 2.3.4.4; beyond-the-spec 2.1). With a content warning, only the warning is shown. */
export const oembedEntity = (
  { status, account }: { status: StatusBody; account: AccountBody },
  { urls, baseUrl, width, height }: { urls: Addresses; baseUrl: string; width: number; height: number | null },
) => {
  const { host } = new URL(baseUrl)
  const profile = urls.profile(account.username)
  const name = account.displayName || account.username
  const author = { name, handle: `@${account.username}@${host}`, profile }
  return {
    type: 'rich',
    version: '1.0',
    author_name: name,
    author_url: profile,
    provider_name: host,
    provider_url: `${baseUrl}/`,
    cache_age: CACHE_AGE,
    html: quotation(status, author, urls.status(account.username, status.id), width),
    width,
    height,
  }
}
