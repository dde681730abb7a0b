import type { JsonObject } from '../reading/json.ts'

/** A local collection: its size, and the link to its first page unless its items are hidden. */
export const renderCollection = ({ id, total, hasPages }: { id: string; total: number; hasPages: boolean }): JsonObject => ({
  id,
  type: 'OrderedCollection',
  totalItems: total,
  ...(hasPages ? { first: `${id}?page=true` } : {}),
})

/** A page of a collection; `next` is the max_id of the next page, empty at the end. */
export const renderPage = (page: { id: string; maxId: string; items: readonly unknown[]; next: string }): JsonObject => ({
  id: `${page.id}?${page.maxId ? `max_id=${page.maxId}&` : ''}page=true`,
  type: 'OrderedCollectionPage',
  partOf: page.id,
  orderedItems: page.items,
  ...(page.next ? { next: `${page.id}?max_id=${page.next}&page=true` } : {}),
})
