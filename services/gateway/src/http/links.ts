import type { Cursors } from '@rookery/contracts/common'
import type { Values } from '@rookery/http'
import type { LinkStyle } from './endpoint.ts'

const CURSORS = new Set(['max_id', 'since_id', 'min_id', 'limit'])

const pairsOf = (name: string, value: unknown): string[] => {
  if (typeof value === 'string') return [`${name}=${encodeURIComponent(value)}`]
  return Array.isArray(value) ? value.flatMap((item) => pairsOf(`${name}%5B%5D`, item)) : []
}

/** Clients refuse answers with more than 16 KiB of headers. */
const MAX_LENGTH = 8000

/** Where a list was asked for: its address, the parameters it takes and those it was given. */
export type Listing = { address: string; takes: ReadonlySet<string>; query: Values; limit: number | undefined }

/**
 * The Link header of a page, or undefined when there is nothing to say (beyond-the-spec 1.6): absolute addresses, next first, those of
 * the caller's parameters that the list takes repeated, commas encoded. Parameters too long for a header leave a page without links.
 */
export const linkHeader = (page: { cursors: Cursors | undefined; style: LinkStyle }, listing: Listing): string | undefined => {
  const { cursors, style } = page
  if (!cursors?.first || !cursors.last) return undefined
  const kept = Object.entries(listing.query).filter(([name]) => listing.takes.has(name) && !CURSORS.has(name))
  const others = kept.flatMap(([name, value]) => pairsOf(name, value))
  if (listing.limit !== undefined) others.push(`limit=${listing.limit}`)
  const link = (cursor: string, rel: string) => `<${listing.address}?${[...others, cursor].join('&')}>; rel="${rel}"`
  const prev = link(`${style.newer}=${cursors.first}`, 'prev')
  const hasNext = style.whenever === 'not empty' || cursors.isFull
  const header = hasNext ? `${link(`max_id=${cursors.last}`, 'next')}, ${prev}` : prev
  return header.length > MAX_LENGTH ? undefined : header
}
