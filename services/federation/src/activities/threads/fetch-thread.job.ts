import { type Job, job } from '@rookery/jobs'
import { isSameHost } from '../../host.rules.ts'
import { type CollectionDocument, itemsIn, localName, type ObjectDocument, readCollection } from '../../vocabulary/index.ts'
import type { Budget, ReceivedDeps } from '../received/deps.ts'
import { fetchWithinBudget } from '../received/fetch-document.ts'
import { createStatuses } from '../received/keep-status.ts'
import { FETCH_THREAD } from '../request-thread.ts'

/** How long one thread may take, in milliseconds. */
const MILLISECONDS = 60_000
/** Pages of one collection of replies. */
const MAX_PAGES = 4
/** Replies to replies are followed so far down. */
const MAX_DEPTH = 4

type Reply = { readonly uri: string; readonly depth: number }

const urisIn = (collection: CollectionDocument): string[] => itemsIn(collection).map(({ uri }) => uri)

const nextOf = (collection: CollectionDocument): string => (collection.firstPage ?? collection).next

/**
 * Fetches what others replied to a status of another server, as that server and those of the replies list it (`replies`), level by level: what is
 * known already is not asked for again. It ends with the budget; what is missing comes with another reading of the thread.
 */
export const fetchThreadJob = (deps: ReceivedDeps): Job => {
  const statuses = createStatuses(deps)

  const documentAt = fetchWithinBudget(deps)

  /** The ids of the replies that a status lists, page by page. */
  const repliesTo = async ({ uri, replies, repliesUri }: ObjectDocument, budget: Budget): Promise<readonly string[]> => {
    const found = replies ? urisIn(replies) : []
    const seen = new Set<string>()
    let next = replies ? nextOf(replies) : repliesUri
    while (seen.size < MAX_PAGES && isSameHost(next, uri) && !seen.has(next)) {
      seen.add(next)
      const page = readCollection((await documentAt(next, budget))?.document)
      if (!page) break
      found.push(...urisIn(page))
      next = nextOf(page)
    }
    return found
  }

  /** The ids of the replies to one that is not known yet, which is kept; none of one that is, or that cannot be had. */
  const openReply = async ({ uri, depth }: Reply, budget: Budget): Promise<readonly string[]> => {
    if (depth > 0 && (await statuses.known(uri)) !== '') return []
    const object = await statuses.open(uri, budget)
    return object && depth < MAX_DEPTH ? repliesTo(object, budget) : []
  }

  return job<{ uri: string; fetches: number }>({
    name: FETCH_THREAD,
    async run({ uri, fetches }) {
      const budget: Budget = { signal: AbortSignal.timeout(MILLISECONDS), fetches }
      const seen = new Set([uri])
      const waiting: Reply[] = [{ uri, depth: 0 }]
      for (let reply = waiting.shift(); reply && budget.fetches > 0; reply = waiting.shift()) {
        for (const below of await openReply(reply, budget)) {
          if (seen.has(below) || localName(deps.baseUrl, below)) continue
          seen.add(below)
          waiting.push({ uri: below, depth: reply.depth + 1 })
        }
      }
    },
  })
}
