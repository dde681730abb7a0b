// What a server is to remember of the acts that it acknowledged: facts in plain sets, without any count.

export type FollowOptions = { reblogs: boolean; notify: boolean; languages: string[] }
export type Mute = { notifications: boolean; until: number | undefined }
export type Account = {
  id: string
  username: string
  isLocked: boolean
  isSuspended: boolean
  isSilenced: boolean
  isGone: boolean
  /** The day of the latest status that was not direct, also if it is deleted. */
  lastDay: string | null
}
export type Poll = {
  options: string[]
  isMultiple: boolean
  hidesTotals: boolean
  endsAt: number
  votes: Map<string, number[]>
}
export type Said = {
  id: string
  by: string
  visibility: 'public' | 'unlisted' | 'private' | 'direct'
  day: string
  /** Undefined once it is deleted; whom it answers stays. */
  parent: string | undefined
  answers: string | undefined
  thread: string
  tags: string[]
  mentions: string[]
  boostOf?: string
  /** Undefined once the quoted status is deleted; not accepted once its author revoked the quote. */
  quote?: { of: string | undefined; isAccepted: boolean }
  poll?: Poll
}
export type Scheduled = { by: string; due: number; text: string; parent: Said | undefined }
export type List = { owner: string; members: Set<string> }

/** What a notification is about that is about no status. */
export const NOTHING = '-'

/** The key of a fact about several records. */
export const key = (...ids: string[]) => ids.join(' ')

export const isOpen = ({ visibility }: Pick<Said, 'visibility'>) => visibility === 'public' || visibility === 'unlisted'

/** The UTC day of a time, and of a status by its id. */
export const dayOf = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10)
export const dayOfId = (id: string) => dayOf(Number(BigInt(id) >> 16n))

export class Facts {
  readonly accounts = new Map<string, Account>()
  readonly follows = new Map<string, FollowOptions>()
  readonly requests = new Map<string, FollowOptions>()
  readonly blocks = new Set<string>()
  readonly mutes = new Map<string, Mute>()
  readonly notes = new Map<string, string>()
  readonly endorsed = new Set<string>()
  readonly lists = new Map<string, List>()
  readonly statuses = new Map<string, Said>()
  scheduled: Scheduled[] = []
  readonly favourites = new Set<string>()
  readonly bookmarks = new Set<string>()
  readonly pins = new Set<string>()
  readonly mutedThreads = new Set<string>()
  readonly featuredTags = new Set<string>()
  readonly followedTags = new Set<string>()
  /** Recipient, type, actor and status of notifications. */
  readonly notices = new Set<string>()

  /** Adds a status, and the day of its author. */
  add(said: Said): void {
    this.statuses.set(said.id, said)
    const author = this.accounts.get(said.by)!
    if (said.visibility !== 'direct' && (author.lastDay === null || author.lastDay < said.day)) author.lastDay = said.day
  }

  /** Notifies of an act, unless it is the recipient's own, or a block, a mute or a muted thread keeps it away (beyond-the-spec 1.14). */
  notify(recipient: string, type: string, actor: string, about?: Said): void {
    if (recipient === actor || this.hasBlock(recipient, actor)) return
    if (this.mutes.get(key(recipient, actor))?.notifications) return
    if (about && this.mutedThreads.has(key(recipient, about.thread))) return
    this.notices.add(key(recipient, type, actor, about?.id ?? NOTHING))
  }

  /** Notifies an account that a status mentions, unless it blocks someone else whom the status mentions or answers (beyond-the-spec 1.14). */
  notifyOfMention(id: string, said: Said): void {
    const involved = [...said.mentions, ...(said.answers ? [said.answers] : [])]
    if (!involved.some((other) => this.blocks.has(key(id, other)))) this.notify(id, 'mention', said.by, said)
  }

  /** Removes the notifications whose recipient, type, actor and status are these; undefined fits any. */
  withdraw(...wanted: (string | undefined)[]): void {
    for (const notice of this.notices)
      if (notice.split(' ').every((part, index) => wanted[index] === undefined || wanted[index] === part)) this.notices.delete(notice)
  }

  /** Deletes a status with its boosts and what was done with it; replies and quotes stay. */
  remove(id: string): void {
    if (!this.statuses.delete(id)) return
    this.withdraw(undefined, undefined, undefined, id)
    for (const other of [...this.statuses.values()]) {
      if (other.boostOf === id) this.remove(other.id)
      if (other.parent === id) other.parent = undefined
      if (other.quote?.of === id) other.quote.of = undefined
    }
    for (const marks of [this.favourites, this.bookmarks, this.pins])
      for (const mark of marks) if (mark.endsWith(` ${id}`)) marks.delete(mark)
  }

  /** Ends a follow with what depends on it, or withdraws a request. */
  unfollow(from: string, to: string): void {
    const pair = key(from, to)
    if (this.requests.delete(pair)) this.withdraw(to, 'follow_request', from)
    if (!this.follows.delete(pair)) return
    this.withdraw(to, 'follow', from)
    this.endorsed.delete(pair)
    for (const list of this.lists.values()) if (list.owner === from) list.members.delete(to)
  }

  block(from: string, to: string): void {
    this.blocks.add(key(from, to))
    this.unfollow(from, to)
    this.unfollow(to, from)
    this.withdraw(from, undefined, to)
  }

  reject(from: string, to: string): void {
    if (this.requests.delete(key(from, to))) this.withdraw(to, 'follow_request', from)
  }

  accept(from: string, to: string): void {
    const options = this.requests.get(key(from, to))
    if (!options) return
    this.requests.delete(key(from, to))
    this.follows.set(key(from, to), options)
    this.withdraw(to, 'follow_request', from)
    this.notify(to, 'follow', from)
  }

  /** Those whose requests an account has. */
  requesters(to: string): string[] {
    return [...this.requests.keys()].map((pair) => pair.split(' ')).flatMap(([from, target]) => (target === to ? [from!] : []))
  }

  /** Deletes an account with all that it did. */
  leave(id: string): void {
    for (const said of [...this.statuses.values()]) if (said.by === id) this.remove(said.id)
    for (const other of this.accounts.keys())
      for (const pair of [
        [id, other],
        [other, id],
      ] as const)
        this.#part(...pair)
    for (const marks of [this.favourites, this.bookmarks, this.mutedThreads, this.featuredTags, this.followedTags])
      for (const mark of marks) if (mark.startsWith(`${id} `)) marks.delete(mark)
    for (const said of this.statuses.values()) said.mentions = said.mentions.filter((mentioned) => mentioned !== id)
    for (const [listId, { owner }] of this.lists) if (owner === id) this.lists.delete(listId)
    this.withdraw(id)
    this.withdraw(undefined, undefined, id)
    this.accounts.get(id)!.isGone = true
  }

  /** Ends all that an account has with another. */
  #part(from: string, to: string): void {
    this.unfollow(from, to)
    for (const relations of [this.blocks, this.mutes, this.notes]) relations.delete(key(from, to))
  }

  /** Ends mutes whose time has come. */
  endMutes(now: number): void {
    for (const [pair, { until }] of this.mutes) if (until !== undefined && until <= now) this.mutes.delete(pair)
  }

  /** Whether a viewer ('' for anonymous) may see a status that is asked for by its id (beyond-the-spec 1.11). */
  mayOpen(viewer: string, said: Said): boolean {
    if (this.accounts.get(said.by)!.isSuspended || this.blocks.has(key(said.by, viewer))) return false
    if (said.boostOf !== undefined && !this.mayOpen(viewer, this.statuses.get(said.boostOf)!)) return false
    if (isOpen(said) || said.by === viewer) return true
    if (!viewer) return false
    return said.mentions.includes(viewer) || (said.visibility === 'private' && this.follows.has(key(viewer, said.by)))
  }

  /** Whether an account exists, and is not suspended. */
  isShown(id: string): boolean {
    const { isSuspended, isGone } = this.accounts.get(id)!
    return !isSuspended && !isGone
  }

  /** Whether a viewer neither blocks nor mutes an account. */
  isUnhidden(viewer: string, id: string): boolean {
    return !this.blocks.has(key(viewer, id)) && !this.mutes.has(key(viewer, id))
  }

  hasBlock(one: string, other: string): boolean {
    return this.blocks.has(key(one, other)) || this.blocks.has(key(other, one))
  }
}
