import type { FetchDocument, FetchedDocument, JsonObject } from '../contract.ts'
import { isSameHost } from '../host.rules.ts'

const withoutFragment = (address: string) => address.split('#', 1)[0]!

/**
 * Fetches an actor from their own server, by their address or a document found there. An id other than the one asked for is fetched itself,
 * once; undefined where its server does not confirm it. @throws DocumentError
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
