import { isObject, isOfType, itemsOf, type JsonObject, totalOf, uriOf } from './json.ts'

const MAX_PAGE = 200

/** An item of a collection: its id, and the embedded document. */
export type CollectionItem = { readonly uri: string; readonly document: JsonObject | undefined }

/** A collection or a page of one. */
export type CollectionDocument = {
  readonly uri: string
  /** Undefined if not given. */
  readonly total: number | undefined
  /** The items in this document. */
  readonly items: readonly CollectionItem[]
  /** The uri of the next page, or of the first page of a collection; empty if there is none. */
  readonly next: string
  readonly firstPage: CollectionDocument | undefined
}

const TYPES = ['Collection', 'OrderedCollection', 'CollectionPage', 'OrderedCollectionPage']

/** Parses a collection or a page; undefined for anything else. */
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

/** All items in the document: its own and those of the embedded first page. */
export const itemsIn = ({ items, firstPage }: CollectionDocument): readonly CollectionItem[] => [...items, ...(firstPage?.items ?? [])]
