import { type Facts, isOpen, key, NOTHING, type Said } from './facts.ts'

// What a server is to show of the facts, each value counted by going through all of them (beyond-the-spec 1.1, 1.10–1.15).

/** The counts of an account. */
export const accountShown = (facts: Facts, id: string) => ({
  statuses_count: [...facts.statuses.values()].filter(({ by, visibility }) => by === id && visibility !== 'direct').length,
  followers_count: [...facts.follows.keys()].filter((pair) => pair.endsWith(` ${id}`)).length,
  following_count: [...facts.follows.keys()].filter((pair) => pair.startsWith(`${id} `)).length,
  last_status_at: facts.accounts.get(id)!.lastDay,
})

/** A viewer's relationship to an account. */
export const relationshipShown = (facts: Facts, viewer: string, id: string) => {
  const [to, from] = [key(viewer, id), key(id, viewer)]
  const options = facts.follows.get(to) ?? facts.requests.get(to)
  return {
    id,
    following: facts.follows.has(to),
    showing_reblogs: options?.reblogs ?? false,
    notifying: options?.notify ?? false,
    languages: options && options.languages.length > 0 ? options.languages : null,
    followed_by: facts.follows.has(from),
    blocking: facts.blocks.has(to),
    blocked_by: facts.blocks.has(from),
    muting: facts.mutes.has(to),
    muting_notifications: facts.mutes.get(to)?.notifications ?? false,
    requested: facts.requests.has(to),
    requested_by: facts.requests.has(from),
    domain_blocking: false,
    endorsed: facts.endorsed.has(to),
    note: facts.notes.get(to) ?? '',
  }
}

/** A poll, as a viewer is shown it. */
const pollShown = (said: Said, viewer: string, now: number) => {
  const { options, isMultiple, hidesTotals, endsAt, votes } = said.poll!
  const isExpired = endsAt <= now
  const all = [...votes.values()].flat()
  return {
    expired: isExpired,
    multiple: isMultiple,
    votes_count: all.length,
    voters_count: votes.size,
    options: options.map((title, index) => ({
      title,
      votes_count: isExpired || !hidesTotals ? all.filter((choice) => choice === index).length : null,
    })),
    ...(viewer ? { voted: viewer === said.by || votes.has(viewer), own_votes: (votes.get(viewer) ?? []).toSorted() } : {}),
  }
}

const quoteCounts = (said: Said, of: string) => said.quote?.of === of && said.quote.isAccepted

/** The counts of a status, and the viewer's flags; those of a boost are those of the boosted status, but for its own id. */
export const statusShown = (facts: Facts, viewer: string, said: Said, now: number) => {
  const { id } = said
  const all = [...facts.statuses.values()]
  const mine = key(viewer, id)
  return {
    replies_count: all.filter((other) => other.parent === id && isOpen(other)).length,
    reblogs_count: all.filter(({ boostOf }) => boostOf === id).length,
    favourites_count: [...facts.favourites].filter((mark) => mark.endsWith(` ${id}`)).length,
    quotes_count: all.filter((other) => quoteCounts(other, id) && isOpen(other)).length,
    poll: said.poll ? pollShown(said, viewer, now) : null,
    ...(viewer
      ? {
          favourited: facts.favourites.has(mine),
          reblogged: all.some(({ by, boostOf }) => by === viewer && boostOf === id),
          bookmarked: facts.bookmarks.has(mine),
          muted: facts.mutedThreads.has(key(viewer, said.thread)),
          ...(viewer === said.by && said.visibility !== 'direct' ? { pinned: facts.pins.has(mine) } : {}),
        }
      : {}),
  }
}

/** The people in the lists of a status. */
export const actorsShown = (facts: Facts, viewer: string, id: string) => {
  const listed = (ids: string[]) => ids.filter((each) => facts.isShown(each) && facts.isUnhidden(viewer, each)).toSorted()
  return {
    favourited_by: listed([...facts.favourites].filter((mark) => mark.endsWith(` ${id}`)).map((mark) => mark.split(' ')[0]!)),
    reblogged_by: listed([...facts.statuses.values()].filter((said) => said.boostOf === id && isOpen(said)).map(({ by }) => by)),
  }
}

/** The ids of the accepted quotes of a status that a viewer is shown. */
export const quotesShown = (facts: Facts, viewer: string, id: string): string[] =>
  [...facts.statuses.values()]
    .filter((said) => quoteCounts(said, id) && facts.mayOpen(viewer, said) && facts.isUnhidden(viewer, said.by))
    .map((said) => said.id)
    .toSorted()

/** The statuses that a viewer marked and may still open. */
export const markedShown = (facts: Facts, viewer: string, marks: ReadonlySet<string>): string[] =>
  [...facts.statuses.values()]
    .filter((said) => marks.has(key(viewer, said.id)) && facts.mayOpen(viewer, said))
    .map(({ id }) => id)
    .toSorted()

/** The followers of an account, those it follows and those it features, as a viewer is shown them. */
export const followsShown = (facts: Facts, viewer: string, id: string) => {
  const isClosed = !facts.isShown(id) || facts.blocks.has(key(id, viewer))
  const of = (pairs: Iterable<string>, own: 0 | 1, isListed: (other: string) => boolean) => {
    const others = [...pairs].map((pair) => pair.split(' ')).flatMap((pair) => (pair[own] === id && !isClosed ? [pair[1 - own]!] : []))
    return others.filter((other) => facts.isShown(other) && !facts.hasBlock(viewer, other) && isListed(other)).toSorted()
  }
  const isOwnOrUnhidden = (other: string) => viewer === id || facts.isUnhidden(viewer, other)
  return {
    followers: of(facts.follows.keys(), 1, isOwnOrUnhidden),
    following: of(facts.follows.keys(), 0, isOwnOrUnhidden),
    endorsements: of(facts.endorsed, 0, () => true),
  }
}

/** The notifications of an account, as type, actor and status: those of accounts and about statuses that it is shown. */
export const noticesShown = (facts: Facts, viewer: string): string[] =>
  [...facts.notices].flatMap((notice) => {
    const [recipient, type, actor, about] = notice.split(' ') as [string, string, string, string]
    const isShown = facts.isShown(actor) && (about === NOTHING || facts.mayOpen(viewer, facts.statuses.get(about)!))
    return recipient === viewer && isShown ? [key(type, actor, about)] : []
  })

/** An account's featured tags: the number of its open statuses with each, and the day of the latest. */
export const featuredTagsShown = (facts: Facts, id: string) => {
  if (!facts.isShown(id)) return []
  const names = [...facts.featuredTags].filter((mark) => mark.startsWith(`${id} `)).map((mark) => mark.split(' ')[1]!)
  return names.toSorted().map((name) => {
    const said = [...facts.statuses.values()].filter((status) => status.by === id && isOpen(status) && status.tags.includes(name))
    return {
      name,
      statuses_count: said.length,
      last_status_at:
        said
          .map(({ day }) => day)
          .toSorted()
          .at(-1) ?? null,
    }
  })
}

/** The uses of a tag in public statuses, on each of the last seven days. */
export const tagHistoryShown = (facts: Facts, name: string, today: string) => {
  const used = [...facts.statuses.values()].filter((said) => said.tags.includes(name) && said.visibility === 'public')
  const start = Date.parse(today)
  return Array.from({ length: 7 }, (_, back) => {
    const day = start - back * 86_400_000
    const ofDay = used.filter((said) => Date.parse(said.day) === day)
    return { day: String(day / 1000), uses: String(ofDay.length), accounts: String(new Set(ofDay.map(({ by }) => by)).size) }
  })
}
