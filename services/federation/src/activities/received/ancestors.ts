import type { Budget } from './deps.ts'
import type { FetchedStatus } from './fetch-status.ts'

/** Statuses above the one that came: those of a longer thread stay unknown, and the highest one is a reply to an unknown one. */
const MAX_ANCESTORS = 20

export type AncestorsDeps = {
  fetchStatus(uri: string, budget: Budget): Promise<FetchedStatus | undefined>
  /** The id here of the status with this uri; empty where it is not known. */
  known(uri: string): Promise<string>
}

/** The statuses from one upwards that are not known yet, the highest one last, and the id of the known one that it answers, if there is one. */
type Ancestors = { readonly chain: FetchedStatus[]; readonly topId: string }

/** Fetches a status and those above it, up to the first one that is known here. */
export const findAncestors =
  ({ fetchStatus, known }: AncestorsDeps) =>
  async (uri: string, budget: Budget): Promise<Ancestors> => {
    const chain: FetchedStatus[] = []
    const seen = new Set<string>()
    let next = uri
    while (next !== '' && !seen.has(next) && chain.length < MAX_ANCESTORS) {
      seen.add(next)
      const topId = await known(next)
      if (topId) return { chain, topId }
      const fetched = await fetchStatus(next, budget)
      const own = fetched?.object.uri ?? ''
      // Under another id it may be one that was passed already: a circle.
      if (!fetched || (own !== next && seen.has(own))) break
      seen.add(own)
      chain.push(fetched)
      next = fetched.object.inReplyTo
    }
    return { chain, topId: '' }
  }
