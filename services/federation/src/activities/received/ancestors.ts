import type { Budget } from './deps.ts'
import type { FetchedStatus } from './fetch-status.ts'

/** Maximum ancestors to fetch. In a longer thread, the highest one becomes a reply to an unknown status. */
const MAX_ANCESTORS = 20

export type AncestorsDeps = {
  fetchStatus(uri: string, budget: Budget): Promise<FetchedStatus | undefined>
  /** The local id of the status with this uri; empty if unknown. */
  known(uri: string): Promise<string>
}

/**
 * A status and its unknown ancestors, the highest one last, and the id of the known status that the highest one replies to; empty if there
 * is none.
 */
type Ancestors = { readonly chain: FetchedStatus[]; readonly topId: string }

/** Fetches a status and its ancestors, up to the first one that is known. */
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
      // The fetched status may have another id, which may be in the chain already: a cycle.
      if (!fetched || (own !== next && seen.has(own))) break
      seen.add(own)
      chain.push(fetched)
      next = fetched.object.inReplyTo
    }
    return { chain, topId: '' }
  }
