import type { Values } from '@rookery/http'
import type { ListPage } from './endpoint.ts'

const CURSORS = new Set(['max_id', 'since_id', 'min_id', 'offset', 'limit'])

const pairsOf = (name: string, value: unknown): string[] => {
  if (typeof value === 'string') return [`${name}=${encodeURIComponent(value)}`]
  return Array.isArray(value) ? value.flatMap((item) => pairsOf(`${name}%5B%5D`, item)) : []
}

/** Maximum characters: clients refuse answers with more than 16 KiB of headers. */
const MAX_LENGTH = 8000

/** The request for a list: its URL, the parameters that the list accepts, and the given ones. */
export type Listing = { address: string; takes: ReadonlySet<string>; query: Values; limit: number | undefined }

type Way = { rel: 'next' | 'prev'; parameter: string }

/** The links of a page, next first. A page by offset that is not full has no next. */
const waysOf = (page: ListPage, limit = 0): Way[] => {
  if ('offset' in page) {
    const { offset, isFull } = page
    const prev: Way[] = offset > 0 && limit > 0 ? [{ rel: 'prev', parameter: `offset=${Math.max(0, offset - limit)}` }] : []
    return isFull ? [{ rel: 'next', parameter: `offset=${offset + limit}` }, ...prev] : prev
  }
  const { cursors, style } = page
  if (!cursors?.first || !cursors.last) return []
  const prev: Way = { rel: 'prev', parameter: `${style.newer}=${cursors.first}` }
  const hasNext = style.whenever === 'not empty' || cursors.isFull
  return hasNext ? [{ rel: 'next', parameter: `max_id=${cursors.last}` }, prev] : [prev]
}

/**
 * The Link header of a page, or undefined without links (beyond-the-spec 1.6): absolute URLs, next first, with those of the caller's
 * parameters that the list accepts, commas encoded. Parameters too long for a header leave a page without links.
 */
export const linkHeader = (page: ListPage, listing: Listing): string | undefined => {
  const kept = Object.entries(listing.query).filter(([name]) => listing.takes.has(name) && !CURSORS.has(name))
  const others = kept.flatMap(([name, value]) => pairsOf(name, value))
  if (listing.limit !== undefined) others.push(`limit=${listing.limit}`)
  const header = waysOf(page, listing.limit)
    .map(({ rel, parameter }) => `<${listing.address}?${[...others, parameter].join('&')}>; rel="${rel}"`)
    .join(', ')
  return header === '' || header.length > MAX_LENGTH ? undefined : header
}
