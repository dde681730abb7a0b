import type { FetchedDocument, RemoteActor } from '../../contract.ts'
import { isSameDocument, isSameHost } from '../../host.rules.ts'
import { isTombstone, type JsonObject, type Named, type ObjectDocument, readActivity, readObject, uriOf } from '../../vocabulary/index.ts'
import type { Budget, ReceivedDeps } from './deps.ts'
import { fetchWithinBudget } from './fetch-document.ts'
import { authorOf, isBy, isVote } from './status.rules.ts'

/** A status from its own server, and its author, who has an account in statuses. */
export type FetchedStatus = { readonly object: ObjectDocument; readonly author: RemoteActor }

/** The object of a Create or Update; for any other document, the document itself. */
const objectIn = (document: JsonObject): Pick<Named, 'uri' | 'document'> => {
  const activity = readActivity(document)
  return activity?.type === 'Create' || activity?.type === 'Update' ? activity.object : { uri: uriOf(document) ?? '', document }
}

/** Reads statuses of other servers from documents, within the budget of an activity. */
export const fetchStatuses = (deps: Pick<ReceivedDeps, 'baseUrl' | 'actors' | 'fetchDocument' | 'log'>) => {
  const documentAt = fetchWithinBudget(deps)

  /** Fetches the document with an id; undefined if the answer has another id or comes from another host. */
  const documentOf = async (id: string, budget: Budget): Promise<FetchedDocument | undefined> => {
    const found = id ? await documentAt(id, budget) : undefined
    return found && uriOf(found.document) === id && isSameHost(found.url, id) ? found : undefined
  }

  /**
   * The object in a document, if it was found at its own id. An object at any other address is fetched from its id, because a user may have
   * uploaded a forged document to that address.
   */
  const atItsId = async (found: FetchedDocument, asked: string, budget: Budget): Promise<FetchedDocument | undefined> => {
    const { uri, document } = objectIn(found.document)
    const isThere = isSameDocument(uri, found.url) || (uri === asked && isSameHost(uri, found.url))
    return document && isThere ? { document, url: found.url } : documentOf(uri, budget)
  }

  /** Reads the status in a document; `asked` is the requested address. */
  const read = async (found: FetchedDocument, asked: string, budget: Budget): Promise<FetchedStatus | undefined> => {
    const { document, url } = (await atItsId(found, asked, budget)) ?? {}
    const object = isTombstone(document) ? undefined : readObject(document)
    const authorUri = object && authorOf(object)
    if (!url || !authorUri || !isSameHost(object.uri, url) || isVote(object)) return undefined
    const author = await deps.actors.byUri(authorUri)
    return author?.accountId && isBy(object, author.uri) ? { object, author } : undefined
  }

  return {
    /** Reads the status in a fetched document; undefined if it is no status of the server that it came from. */
    readStatus: (found: FetchedDocument, budget: Budget) => read(found, found.url, budget),
    /** Fetches the status at a uri. */
    async fetchStatus(uri: string, budget: Budget): Promise<FetchedStatus | undefined> {
      const found = await documentAt(uri, budget)
      return found && read(found, uri, budget)
    },
  }
}
