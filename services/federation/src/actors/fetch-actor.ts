import { DocumentError, type FetchDocument, type FetchedDocument, type JsonObject } from '../contract.ts'
import { isSameHost } from '../host.rules.ts'

const withoutFragment = (address: string) => address.split('#', 1)[0]!

/** What work resolves to; undefined where a document is at fault, which is no fault of the caller's. */
export const orUndefined = async <Value>(work: Promise<Value>): Promise<Value | undefined> =>
  work.catch((error) => {
    if (error instanceof DocumentError) return undefined
    throw error
  })

/**
 * What an actor's own server says of them, from their address or what was found there. An id that is not what was asked for is asked for
 * itself, once; undefined where the server of the id does not agree. @throws DocumentError
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
