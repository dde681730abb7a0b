import type { FetchedDocument, RemoteActor } from '../../contract.ts'
import { isSameDocument, isSameHost } from '../../host.rules.ts'
import { isTombstone, type JsonObject, type Named, type ObjectDocument, readActivity, readObject, uriOf } from '../../vocabulary/index.ts'
import type { Budget, ReceivedDeps } from './deps.ts'
import { fetchWithinBudget } from './fetch-document.ts'
import { authorOf, isBy, isVote } from './status.rules.ts'

/** A status as its own server gives it, and its author, who has an account. */
export type FetchedStatus = { readonly object: ObjectDocument; readonly author: RemoteActor }

/** What an activity made or changed, or any other document itself. */
const objectIn = (document: JsonObject): Pick<Named, 'uri' | 'document'> => {
  const activity = readActivity(document)
  return activity?.type === 'Create' || activity?.type === 'Update' ? activity.object : { uri: uriOf(document) ?? '', document }
}

/** Reads statuses of other servers from documents, within the bounds of what one activity may cost. */
export const fetchStatuses = (deps: Pick<ReceivedDeps, 'baseUrl' | 'actors' | 'fetchDocument' | 'log'>) => {
  const documentAt = fetchWithinBudget(deps)

  /** The document that a server gives under an id. */
  const documentOf = async (id: string, budget: Budget): Promise<FetchedDocument | undefined> => {
    const found = id ? await documentAt(id, budget) : undefined
    return found && uriOf(found.document) === id && isSameHost(found.url, id) ? found : undefined
  }

  /**
   * The object in a document, as its own server gives it under its id. What is at any other address of a server is asked for there: people may have put
   * it where it is.
   */
  const atItsId = async (found: FetchedDocument, asked: string, budget: Budget): Promise<FetchedDocument | undefined> => {
    const { uri, document } = objectIn(found.document)
    const isThere = isSameDocument(uri, found.url) || (uri === asked && isSameHost(uri, found.url))
    return document && isThere ? { document, url: found.url } : documentOf(uri, budget)
  }

  /** The status that a document says; `asked` is the address that it was asked for by. */
  const read = async (found: FetchedDocument, asked: string, budget: Budget): Promise<FetchedStatus | undefined> => {
    const { document, url } = (await atItsId(found, asked, budget)) ?? {}
    const object = isTombstone(document) ? undefined : readObject(document)
    const authorUri = object && authorOf(object)
    if (!url || !authorUri || !isSameHost(object.uri, url) || isVote(object)) return undefined
    const author = await deps.actors.byUri(authorUri)
    return author?.accountId && isBy(object, author.uri) ? { object, author } : undefined
  }

  return {
    /** What a document says that was fetched already; undefined where it is no status of the server that it came from. */
    readStatus: (found: FetchedDocument, budget: Budget) => read(found, found.url, budget),
    /** The status that its server has at a uri. */
    async fetchStatus(uri: string, budget: Budget): Promise<FetchedStatus | undefined> {
      const found = await documentAt(uri, budget)
      return found && read(found, uri, budget)
    },
  }
}
