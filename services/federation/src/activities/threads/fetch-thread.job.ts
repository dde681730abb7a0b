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
 * Fetches what others replied to a status of another server, as that server and those of the replies list it (`replies`), level by level. Replies
 * that are known already are fetched after all others, for what is below them. It ends with the budget; what is missing comes with another reading of the thread.
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

  /** The ids of the replies to one, which is kept; none of one that cannot be had, or stands as far down as replies are followed. */
  const openReply = async ({ uri, depth }: Reply, budget: Budget): Promise<readonly string[]> => {
    const object = await statuses.open(uri, budget)
    return object && depth < MAX_DEPTH ? repliesTo(object, budget) : []
  }

  /** Gives replies one after the other, the first one first and those that are known last, and takes those below the one before. */
  const repliesToFetch = (uri: string) => {
    const seen = new Set([uri])
    const [unknown, known]: [Reply[], Reply[]] = [[{ uri, depth: 0 }], []]
    const add = async (uris: readonly string[], depth: number) => {
      const fresh = [...new Set(uris)].filter((each) => !seen.has(each) && !localName(deps.baseUrl, each))
      const areKnown = await statuses.knownAmong(fresh)
      for (const each of fresh) {
        seen.add(each)
        if (!areKnown.has(each)) unknown.push({ uri: each, depth })
        else if (depth < MAX_DEPTH) known.push({ uri: each, depth })
      }
    }
    let last: Reply | undefined
    return async (below: readonly string[]): Promise<Reply | undefined> => {
      if (last) await add(below, last.depth + 1)
      last = unknown.shift() ?? known.shift()
      return last
    }
  }

  return job<{ uri: string; fetches: number }>({
    name: FETCH_THREAD,
    lane: 'reading',
    async run({ uri, fetches }) {
      const budget: Budget = { signal: AbortSignal.timeout(MILLISECONDS), fetches }
      const next = repliesToFetch(uri)
      for (let reply = await next([]); reply && budget.fetches > 0; ) reply = await next(await openReply(reply, budget))
    },
  })
}
