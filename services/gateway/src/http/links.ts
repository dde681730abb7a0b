import type { Cursors } from '@rookery/contracts/common'
import { stringify } from 'qs'
import type { LinkStyle } from './endpoint.ts'
import type { Values } from './values.ts'

const CURSORS = new Set(['max_id', 'since_id', 'min_id', 'access_token'])

/**
 * The Link header of a page, or undefined when there is nothing to say (beyond-the-spec 1.6): absolute addresses, next first, the
 * caller's other parameters repeated, commas encoded.
 */
export const linkHeader = (
  page: { cursors: Cursors | undefined; style: LinkStyle },
  request: { baseUrl: string; path: string; query: Values; limit: number | undefined },
): string | undefined => {
  const { cursors, style } = page
  if (!cursors?.first || !cursors.last) return undefined
  const kept = Object.fromEntries(Object.entries(request.query).filter(([name]) => !CURSORS.has(name)))
  const others = stringify(
    { ...kept, ...(request.limit === undefined ? {} : { limit: request.limit }) },
    { arrayFormat: 'brackets', encodeValuesOnly: true },
  ).replaceAll(',', '%2C')
  const address = (cursor: string) => `<${request.baseUrl}${request.path}?${others}${others ? '&' : ''}${cursor}>`
  const hasNext = style.whenever === 'not empty' || cursors.isFull
  const links = [`${address(`${style.newer}=${cursors.first}`)}; rel="prev"`]
  if (hasNext) links.unshift(`${address(`max_id=${cursors.last}`)}; rel="next"`)
  return links.join(', ')
}
