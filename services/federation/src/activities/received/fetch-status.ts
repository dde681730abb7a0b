import type { FetchedDocument, RemoteActor } from '../../contract.ts'
import { isSameHost } from '../../host.rules.ts'
import { isTombstone, type ObjectDocument, readActivity, readObject } from '../../vocabulary/index.ts'
import type { Budget, ReceivedDeps } from './deps.ts'
import { fetchWithinBudget } from './fetch-document.ts'
import { authorOf, isBy, isVote } from './status.rules.ts'

/** A status as its own server gives it, and its author, who has an account. */
export type FetchedStatus = { readonly object: ObjectDocument; readonly author: RemoteActor }

/** Reads statuses of other servers from documents, within the bounds of what one activity may cost. */
export const fetchStatuses = (deps: Pick<ReceivedDeps, 'baseUrl' | 'actors' | 'fetchDocument' | 'log'>) => {
  const documentAt = fetchWithinBudget(deps)

  /** What an activity made or changed, as it holds it or as it is fetched; any other document as it is. */
  const objectIn = async (found: FetchedDocument, budget: Budget): Promise<FetchedDocument | undefined> => {
    const activity = readActivity(found.document)
    if (activity?.type !== 'Create' && activity?.type !== 'Update') return found
    const { uri, document } = activity.object
    if (document && isSameHost(uri, found.url)) return { document, url: found.url }
    return uri ? documentAt(uri, budget) : undefined
  }

  /** What a document says: its id, or the id of what it is about, is on the server that it came from. */
  const read = async (found: FetchedDocument, budget: Budget): Promise<FetchedStatus | undefined> => {
    const { document, url } = (await objectIn(found, budget)) ?? {}
    const object = isTombstone(document) ? undefined : readObject(document)
    const authorUri = object && authorOf(object)
    if (!url || !authorUri || !isSameHost(object.uri, url) || isVote(object)) return undefined
    const author = await deps.actors.byUri(authorUri)
    return author?.accountId && isBy(object, author.uri) ? { object, author } : undefined
  }

  return {
    /** What a document says that was fetched already; undefined where it is no status of the server that it came from. */
    readStatus: read,
    /** The status that its server has at a uri. */
    async fetchStatus(uri: string, budget: Budget): Promise<FetchedStatus | undefined> {
      const found = await documentAt(uri, budget)
      return found && read(found, budget)
    },
  }
}
