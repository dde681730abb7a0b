import type { FetchDocument, FetchedDocument, JsonObject } from '../contract.ts'
import { isSameHost } from '../host.rules.ts'

const withoutFragment = (address: string) => address.split('#', 1)[0]!

/**
 * Fetches an actor's document from its own server, by address or from a document fetched there. If the document has another id, that id is fetched
 * once; undefined if its server does not confirm it. @throws DocumentError
 */
export const fetchActor = async (
  fetchDocument: FetchDocument,
  address: string,
  found?: FetchedDocument,
): Promise<JsonObject | undefined> => {
  const first = found ?? (await fetchDocument(address))
  const { id } = first.document
  if (typeof id !== 'string') return undefined
  if (withoutFragment(first.url) === withoutFragment(id) || (isSameHost(first.url, id) && withoutFragment(address) === id))
    return first.document
  const own = await fetchDocument(id)
  return own.document['id'] === id && isSameHost(own.url, id) ? own.document : undefined
}
