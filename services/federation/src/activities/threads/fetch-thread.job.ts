import { type Job, job } from '@rookery/jobs'
import { isSameHost } from '../../host.rules.ts'
import { type CollectionDocument, itemsIn, localName, type ObjectDocument, readCollection } from '../../vocabulary/index.ts'
import type { Budget, ReceivedDeps } from '../received/deps.ts'
import { fetchWithinBudget } from '../received/fetch-document.ts'
import { createStatuses } from '../received/keep-status.ts'
import { FETCH_THREAD } from '../request-thread.ts'

/** Timeout for one thread, in milliseconds. */
const MILLISECONDS = 60_000
/** Maximum pages per collection of replies. */
const MAX_PAGES = 4
/** Maximum depth of nested replies. */
const MAX_DEPTH = 4

type Reply = { readonly uri: string; readonly depth: number }

const urisIn = (collection: CollectionDocument): string[] => itemsIn(collection).map(({ uri }) => uri)

const nextOf = (collection: CollectionDocument): string => (collection.firstPage ?? collection).next

/**
 * Fetches the replies to a remote status, level by level, from the `replies` collections of the status and of its replies. Known replies
 * are fetched last, only for the replies below them. The job ends with the budget; the next reader of the thread triggers another run.
 */
export const fetchThreadJob = (deps: ReceivedDeps): Job => {
  const statuses = createStatuses(deps)

  const documentAt = fetchWithinBudget(deps)

  /** The uris of the replies that a status lists, page by page. */
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

  /** Stores a reply and returns the uris of its replies; none if it cannot be fetched or is at the maximum depth. */
  const openReply = async ({ uri, depth }: Reply, budget: Budget): Promise<readonly string[]> => {
    const object = await statuses.open(uri, budget)
    return object && depth < MAX_DEPTH ? repliesTo(object, budget) : []
  }

  /** A queue of replies, with the unknown ones first. Each call adds the replies below the last one and returns the next. */
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
