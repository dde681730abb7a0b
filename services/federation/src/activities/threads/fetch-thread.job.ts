import { type Job, job } from '@rookery/jobs'
import { isSameHost } from '../../host.rules.ts'
import { type CollectionDocument, localName, type ObjectDocument, readCollection } from '../../vocabulary/index.ts'
import type { Budget, ReceivedDeps } from '../received/deps.ts'
import { createStatuses } from '../received/keep-status.ts'
import { FETCH_THREAD } from '../request-thread.ts'

/** How long one thread may take, in milliseconds. */
const MILLISECONDS = 60_000
/** Pages of one collection of replies. */
const MAX_PAGES = 4
/** Replies to replies are followed so far down. */
const MAX_DEPTH = 4

type Reply = { readonly uri: string; readonly depth: number }

const urisIn = ({ items, firstPage }: CollectionDocument): string[] => [...items, ...(firstPage?.items ?? [])].map(({ uri }) => uri)

/**
 * Fetches what others replied to a status of another server, as that server and those of the replies list it (`replies`), level by level: what is
 * known already is not asked for again. It ends with the budget; what is missing comes with another reading of the thread.
 */
export const fetchThreadJob = (deps: ReceivedDeps): Job => {
  const statuses = createStatuses(deps)

  const pageAt = async (uri: string, { signal }: Budget): Promise<CollectionDocument | undefined> =>
    deps.fetchDocument(uri, { signal }).then(
      ({ document }) => readCollection(document),
      (error) => {
        deps.log.debug({ err: error, uri }, 'no replies of another server')
        return undefined
      },
    )

  const repliesTo = async ({ uri, replies, repliesUri }: ObjectDocument, budget: Budget): Promise<string[]> => {
    const found = new Set<string>(replies ? urisIn(replies) : [])
    const seen = new Set<string>()
    let next = replies ? (replies.firstPage ?? replies).next : repliesUri
    while (seen.size < MAX_PAGES && isSameHost(next, uri) && !seen.has(next) && budget.fetches > 0 && !budget.signal.aborted) {
      seen.add(next)
      budget.fetches--
      const page = await pageAt(next, budget)
      if (!page) break
      for (const reply of urisIn(page)) found.add(reply)
      next = (page.firstPage ?? page).next
    }
    return [...found]
  }

  return job<{ uri: string; fetches: number }>({
    name: FETCH_THREAD,
    async run({ uri, fetches }) {
      const budget: Budget = { signal: AbortSignal.timeout(MILLISECONDS), fetches }
      const seen = new Set([uri])
      const waiting: Reply[] = [{ uri, depth: 0 }]
      for (let reply = waiting.shift(); reply && budget.fetches > 0; reply = waiting.shift()) {
        const isKnown = reply.depth > 0 && (await statuses.known(reply.uri)) !== ''
        const object = isKnown ? undefined : await statuses.open(reply.uri, budget)
        if (!object || reply.depth >= MAX_DEPTH) continue
        for (const below of await repliesTo(object, budget)) {
          if (seen.has(below) || localName(deps.baseUrl, below)) continue
          seen.add(below)
          waiting.push({ uri: below, depth: reply.depth + 1 })
        }
      }
    },
  })
}
