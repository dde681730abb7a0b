/** The streams, and how what they send changes what a client holds: as real clients do it, without a request except where it says so. */

// biome-ignore lint/suspicious/noExplicitAny: what the API says
export type Json = any

/** A timeline, newest first, and the lowest id that it has loaded; 0 if all. */
export type Timeline = { entries: Json[]; floor: bigint }

/** What a client shows. */
export type State = { timelines: Map<string, Timeline>; notifications: Json[]; conversations: Json[]; announcements: Json[] }

/** What a client did since it last loaded everything. */
export type News = {
  /** Statuses that came or changed, as `STREAM ID`; conversations as `conversation ID`. */
  updated: Set<string>
  /** Statuses for which it got a deletion. */
  deleted: Set<string>
  /** Notifications by stream. */
  notified: Map<string, Set<string>>
  /** What it has to read again. */
  stale: Set<'filters' | 'notifications'>
}

export const noNews = (): News => ({ updated: new Set(), deleted: new Set(), notified: new Map(), stale: new Set() })

/** The tag whose stream is open. */
export const TAG = 'tea'

const byId = (a: Json, b: Json) => (BigInt(b.id) > BigInt(a.id) ? 1 : -1)

/** A status with a newer copy of one in it: itself, the boosted or the quoted one. Public streams carry no flags and votes, so these stay. */
const merged = (held: Json, status: Json): Json => {
  if (!held) return held
  if (held.id === status.id) {
    const poll = status.poll && held.poll?.id === status.poll.id ? { ...held.poll, ...status.poll } : status.poll
    return { ...held, ...status, poll }
  }
  const quoted = held.quote?.quoted_status
  return {
    ...held,
    ...(held.reblog && { reblog: merged(held.reblog, status) }),
    ...(held.reblog?.id === status.id && status.filtered && { filtered: status.filtered }),
    ...(quoted && { quote: { ...held.quote, quoted_status: merged(quoted, status) } }),
  }
}

/** Replaces a status wherever a stream's timeline holds it; what comes on `user` also in notifications and conversations. */
export const replaced = (state: State, key: string, status: Json): void => {
  const timeline = state.timelines.get(key)
  if (timeline) timeline.entries = timeline.entries.map((entry) => merged(entry, status))
  if (key !== 'user') return
  state.notifications = state.notifications.map((each) => (each.status ? { ...each, status: merged(each.status, status) } : each))
  state.conversations = state.conversations.map((each) => ({ ...each, last_status: merged(each.last_status, status) }))
}

const removed = (state: State, key: string, id: string): void => {
  const timeline = state.timelines.get(key)
  if (timeline) timeline.entries = timeline.entries.filter((entry) => entry.id !== id && entry.reblog?.id !== id)
}

const inserted = (state: State, key: string, status: Json): void => {
  const timeline = state.timelines.get(key)!
  if (timeline.entries.some(({ id }) => id === status.id)) replaced(state, key, status)
  else timeline.entries = [...timeline.entries, status].toSorted(byId)
}

/** A tag's timeline and one of media drop what an edit took the tag or the media from. */
const stillFits = (key: string, status: Json): boolean => {
  if (key === 'hashtag') return status.tags.some(({ name }: Json) => name === TAG)
  return key !== 'public:media' || status.media_attachments.length > 0
}

const withReaction = (announcement: Json, { announcement_id: id, ...reaction }: Json): Json => {
  if (announcement.id !== id) return announcement
  const others = announcement.reactions.filter(({ name }: Json) => name !== reaction.name)
  return { ...announcement, reactions: reaction.count > 0 ? [...others, reaction] : others }
}

type Apply = (state: State, data: Json, given: { key: string; news: News }) => void

const EVENTS: Readonly<Record<string, Apply>> = {
  update(state, status, { key, news }) {
    news.updated.add(`${key} ${status.id}`)
    inserted(state, key, status)
  },
  'status.update'(state, status, { key, news }) {
    news.updated.add(`${key} ${status.id}`)
    replaced(state, key, status)
    if (!stillFits(key, status)) removed(state, key, status.id)
  },
  delete(state, id, { key, news }) {
    news.deleted.add(id)
    removed(state, key, id)
  },
  notification(state, notification, { key, news }) {
    news.notified.set(key, (news.notified.get(key) ?? new Set()).add(notification.id))
    if (key === 'user') state.notifications = [...state.notifications, notification].toSorted(byId)
  },
  conversation(state, conversation, { news }) {
    news.updated.add(`conversation ${conversation.id}`)
    state.conversations = [...state.conversations.filter(({ id }) => id !== conversation.id), conversation]
  },
  notifications_merged: (_state, _data, { news }) => void news.stale.add('notifications'),
  filters_changed: (_state, _data, { news }) => void news.stale.add('filters'),
  announcement(state, announcement) {
    state.announcements = [...state.announcements.filter(({ id }) => id !== announcement.id), announcement]
  },
  'announcement.reaction'(state, reaction) {
    state.announcements = state.announcements.map((each) => withReaction(each, reaction))
  },
  'announcement.delete'(state, id) {
    state.announcements = state.announcements.filter((each) => each.id !== id)
  },
}

/** Applies an event of a stream. @throws Error for an event that clients do not know */
export const applied = (
  state: State,
  { event, payload }: { event: string; payload?: string },
  given: { key: string; news: News },
): void => {
  const apply = EVENTS[event]
  if (!apply) throw new Error(`${given.key}: ${event}`)
  apply(state, payload?.startsWith('{') ? JSON.parse(payload) : payload, given)
}

/** Replaces a poll wherever it is held: the answer to a vote. */
export const voted = (state: State, poll: Json): void => {
  const withPoll = (held: Json): Json =>
    held && {
      ...held,
      ...(held.poll?.id === poll.id && { poll }),
      ...(held.reblog && { reblog: withPoll(held.reblog) }),
      ...(held.quote?.quoted_status && { quote: { ...held.quote, quoted_status: withPoll(held.quote.quoted_status) } }),
    }
  for (const timeline of state.timelines.values()) timeline.entries = timeline.entries.map(withPoll)
  state.notifications = state.notifications.map((each) => (each.status ? { ...each, status: withPoll(each.status) } : each))
}

/** Drops everything of a person whom the reader blocked or muted, except from homes and lists: there the server sends deletions. */
export const dropped = (state: State, accountId: string, { withNotifications }: { withNotifications: boolean }): void => {
  for (const [key, timeline] of state.timelines) {
    if (key === 'user' || key.startsWith('list')) continue
    timeline.entries = timeline.entries.filter(({ account }) => account.id !== accountId)
  }
  if (!withNotifications) return
  state.notifications = state.notifications.filter(({ account }) => account.id !== accountId)
  state.conversations = state.conversations.filter(({ accounts }) => !accounts.some(({ id }: Json) => id === accountId))
}
