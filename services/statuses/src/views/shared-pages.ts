import type { Overlay, StatusPage } from '@rookery/contracts/statuses'

/** Presented pages shared by many viewers, by what these viewers have in common. */
export type SharedPages = {
  /** The shared page if it is still valid at `now` (milliseconds since 1970), otherwise a new one. */
  take(readers: string, now: number, make: () => Promise<StatusPage>): Promise<StatusPage>
  /** The same pages after another read: does not wait for pages that are still being made from the read before. */
  ofNow(): SharedPages
}

const pollsOf = (overlay: Overlay | undefined) => [overlay?.poll, overlay?.quote?.overlay?.poll]

/**
 * Until when a page stays valid while its statuses and their authors do not change, in milliseconds since 1970: a poll ends; accounts that people
 * moved to and authors of cards can change at any time.
 */
export const holdsUntil = ({ items, statuses, accounts }: StatusPage): number => {
  if (accounts.some(({ moved }) => moved) || statuses.some(({ cardAuthorId }) => cardAuthorId)) return 0
  const polls = items.flatMap(({ overlay, reblogOverlay }) => [...pollsOf(overlay), ...pollsOf(reblogOverlay)])
  const ends = polls.map((poll) => (poll && !poll.isExpired ? poll.expiresAtMilliseconds : undefined))
  return ends.reduce<number>((first, end) => Math.min(first, end ?? first), Number.POSITIVE_INFINITY)
}

/** Starts empty, unless given pages to keep. Failures are not cached. */
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
