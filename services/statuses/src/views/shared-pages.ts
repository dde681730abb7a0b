import type { Overlay, StatusPage } from '@rookery/contracts/statuses'

/** The current time, and until when a page made now is valid in any case, both in milliseconds since 1970. */
type Moment = { now: number; until?: number }

/** Presented pages shared by many viewers, or by the requests of one, by what these viewers have in common. */
export type SharedPages = {
  /** The shared page if it is still valid, otherwise a new one. */
  take(readers: string, moment: Moment, make: () => Promise<StatusPage>): Promise<StatusPage>
  /** The same pages after another read: does not wait for pages that are still being made from the read before. */
  ofNow(): SharedPages
}

const pollsOf = (overlay: Overlay | undefined) => [overlay?.poll, overlay?.quote?.overlay?.poll]

/**
 * Until when a page stays valid while its statuses and their authors do not change, in milliseconds since 1970: a poll ends; accounts that people
 * moved to and authors of cards can change at any time.
 */
const holdsUntil = ({ items, statuses, accounts }: StatusPage): number => {
  if (accounts.some(({ moved }) => moved) || statuses.some(({ cardAuthorId }) => cardAuthorId)) return 0
  const polls = items.flatMap(({ overlay, reblogOverlay }) => [...pollsOf(overlay), ...pollsOf(reblogOverlay)])
  const ends = polls.map((poll) => (poll && !poll.isExpired ? poll.expiresAtMilliseconds : undefined))
  return ends.reduce<number>((first, end) => Math.min(first, end ?? first), Number.POSITIVE_INFINITY)
}

/** Starts empty, unless given pages to keep. Failures are not cached. */
export const sharedPages = (kept = new Map<string, { page: StatusPage; until: number }>()): SharedPages => {
  const underWay = new Map<string, Promise<StatusPage>>()
  const begin = (readers: string, until: number, make: () => Promise<StatusPage>) => {
    const made = make().then((page) => {
      kept.set(readers, { page, until: Math.min(until, holdsUntil(page)) })
      return page
    })
    underWay.set(readers, made)
    return made
  }
  return {
    async take(readers, { now, until = Number.POSITIVE_INFINITY }, make) {
      const known = kept.get(readers)
      return known && known.until > now ? known.page : (underWay.get(readers) ?? begin(readers, until, make))
    },
    ofNow: () => sharedPages(kept),
  }
}
