import type { Overlay, StatusPage } from '@rookery/contracts/statuses'

/** Presented pages that many viewers share, by what these viewers have in common. */
export type SharedPages = {
  /** The page as it was made for one of them, if it holds at `now` (milliseconds since 1970), else as it is made now. */
  take(readers: string, now: number, make: () => Promise<StatusPage>): Promise<StatusPage>
  /** The same of the same page as it is read again: what is under way was asked for before, and is not waited for. */
  ofNow(): SharedPages
}

const pollsOf = (overlay: Overlay | undefined) => [overlay?.poll, overlay?.quote?.overlay?.poll]

/**
 * Until when a page stays as it is while its statuses and their authors do: a poll ends, and where people moved to, and who wrote
 * what a card shows, changes by itself. Milliseconds since 1970.
 */
const holdsUntil = ({ items, statuses, accounts }: StatusPage): number => {
  if (accounts.some(({ moved }) => moved) || statuses.some(({ cardAuthorId }) => cardAuthorId)) return 0
  const polls = items.flatMap(({ overlay, reblogOverlay }) => [...pollsOf(overlay), ...pollsOf(reblogOverlay)])
  const ends = polls.map((poll) => (poll && !poll.isExpired ? poll.expiresAtMilliseconds : undefined))
  return ends.reduce<number>((first, end) => Math.min(first, end ?? first), Number.POSITIVE_INFINITY)
}

/** None yet. What fails is not kept. */
export const sharedPages = (kept = new Map<string, { page: StatusPage; until: number }>()): SharedPages => {
  const underWay = new Map<string, Promise<StatusPage>>()
  const begin = (readers: string, make: () => Promise<StatusPage>) => {
    const made = make().then((page) => {
      kept.set(readers, { page, until: holdsUntil(page) })
      return page
    })
    underWay.set(readers, made)
    return made
  }
  return {
    async take(readers, now, make) {
      const known = kept.get(readers)
      return known && known.until > now ? known.page : (underWay.get(readers) ?? begin(readers, make))
    },
    ofNow: () => sharedPages(kept),
  }
}
