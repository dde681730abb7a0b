import { isObject, isOfType, itemsOf, type JsonObject, totalOf, uriOf } from './json.ts'

const MAX_PAGE = 200

/** What is listed: an id, and what was sent of it. */
export type CollectionItem = { readonly uri: string; readonly document: JsonObject | undefined }

/** A collection or a page of one. */
export type CollectionDocument = {
  readonly uri: string
  /** Undefined where it does not say. */
  readonly total: number | undefined
  /** What is in it here. */
  readonly items: readonly CollectionItem[]
  /** Its first page, embedded or elsewhere; a page's own next one. Empty for none. */
  readonly next: string
  readonly firstPage: CollectionDocument | undefined
}

const TYPES = ['Collection', 'OrderedCollection', 'CollectionPage', 'OrderedCollectionPage']

/** Reads a collection or a page; undefined for what is none. */
export const readCollection = (document: unknown, depth = 0): CollectionDocument | undefined => {
  if (!isObject(document) || !TYPES.some((type) => isOfType(document, type))) return undefined
  const listed = itemsOf(document['orderedItems'] ?? document['items'], MAX_PAGE)
  const items = listed.flatMap((item) => {
    const uri = uriOf(item)
    return uri ? [{ uri, document: isObject(item) ? item : undefined }] : []
  })
  const first = isObject(document['first']) && depth === 0 ? readCollection(document['first'], 1) : undefined
  return {
    uri: uriOf(document) ?? '',
    total: totalOf(document),
    items,
    next: uriOf(document['next'] ?? document['first']) ?? '',
    firstPage: first,
  }
}

/** All that was sent of a collection: its own items and those of its first page. */
export const itemsIn = ({ items, firstPage }: CollectionDocument): readonly CollectionItem[] => [...items, ...(firstPage?.items ?? [])]
