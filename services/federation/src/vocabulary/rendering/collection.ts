import type { JsonObject } from '../reading/json.ts'

/** A collection of this server: how many there are, and where its first page is unless its items are kept back. */
export const renderCollection = ({ id, total, hasPages }: { id: string; total: number; hasPages: boolean }): JsonObject => ({
  id,
  type: 'OrderedCollection',
  totalItems: total,
  ...(hasPages ? { first: `${id}?page=true` } : {}),
})

/** A page of a collection; `next` is where the following one begins, empty at the end. */
export const renderPage = (page: { id: string; maxId: string; items: readonly unknown[]; next: string }): JsonObject => ({
  id: `${page.id}?${page.maxId ? `max_id=${page.maxId}&` : ''}page=true`,
  type: 'OrderedCollectionPage',
  partOf: page.id,
  orderedItems: page.items,
  ...(page.next ? { next: `${page.id}?max_id=${page.next}&page=true` } : {}),
})
