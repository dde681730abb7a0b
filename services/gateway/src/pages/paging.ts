import type { Cursors } from '@rookery/contracts/common'
import { isId } from '@rookery/ids'
import { type Html, html } from '@rookery/pages'
import type { Texts } from './texts/index.ts'

/** The page of a list that the query asks for; an invalid cursor counts as absent. */
export const partOf = (query: URLSearchParams, limit: number) => {
  const typed = query.get('max_id') ?? ''
  return { maxId: isId(typed) ? typed : undefined, limit }
}

/** The links to other pages of a list; absent where there are none. */
export type Pager = { older?: string | undefined; latest?: string | undefined }

/** The links of a page that begins at a cursor. */
export const pagerOf = (address: string, { maxId }: { maxId: string | undefined }, cursors: Cursors | undefined): Pager => ({
  older: cursors?.isFull ? `${address}?max_id=${cursors.last}` : undefined,
  latest: maxId === undefined ? undefined : address,
})

/** The links as HTML. */
export const pagerPart = ({ older, latest }: Pager, { texts, next }: { texts: Texts; next: string }): Html | undefined => {
  if (!older && !latest) return undefined
  return html`<nav class="pager" aria-label="${texts.pager.label}">${latest && html`<a href="${latest}">${texts.pager.latest}</a>`}${older && html`<a href="${older}" rel="next">${next}</a>`}</nav>`
}
