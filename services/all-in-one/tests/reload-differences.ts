import type { Client } from './reload-client.ts'
import type { Json, News, State } from './reload-model.ts'

/** What differs between a client that kept its streams open and one that reloads. */

/** `extra`: only the open client has it; `lacks`: only the reload has it; `differs`: both, with the values of a field. */
export type Difference = { place: string; kind: 'extra' | 'lacks' | 'differs'; id: string; entry: Json; values?: string }

const COUNTS = ['replies_count', 'reblogs_count', 'favourites_count', 'quotes_count']
const FLAGS = ['favourited', 'reblogged', 'bookmarked', 'pinned']

/** States of a quote that follow from the quoted status and the reader, without an event about the quoting status. */
const UNTOLD = ['deleted', 'unauthorized', 'blocked_account', 'blocked_domain', 'muted_account']
const QUOTE_LINK = /^<p class="quote-inline">.*?<\/p>/

type Promised = { hasFlags: boolean; now: number; isFresh: (statusId: string) => boolean }

const without = (record: Json, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))

/** Filters end by the clock, which clients read themselves. */
const activeOf = (filtered: Json[] | undefined, now: number) =>
  filtered?.filter(({ filter }) => !filter.expires_at || Date.parse(filter.expires_at) > now)

const pollOf = ({ votes_count: _v, voters_count: _c, expired: _e, voted, own_votes, options, ...poll }: Json, hasFlags: boolean) => ({
  ...poll,
  ...(hasFlags && { voted, own_votes }),
  options: options.map(({ title }: Json) => title),
})

/** A quote of a status that just came or changed in whole; of another only its state, as far as an event tells it. */
const quoteOf = (quote: Json, isFresh: boolean, given: Promised): Json => {
  if (!isFresh) return UNTOLD.includes(quote.state) ? undefined : { state: quote.state }
  return quote.quoted_status ? { ...quote, quoted_status: promised(quote.quoted_status, given) } : quote
}

/** A status as far as streams promise it: without counts, the late card, and on public streams flags and votes (beyond-the-spec 1.7). */
const promised = (status: Json, given: Promised): Json => {
  const { id, created_at, visibility, account, filtered, reblog, quote, poll } = status
  const active = activeOf(filtered, given.now)
  if (reblog) return { id, created_at, visibility, account: account.id, reblog: promised(reblog, given), filtered: active }
  const isFresh = given.isFresh(id)
  return {
    ...without(status, [...COUNTS, 'card', 'muted', ...(given.hasFlags ? [] : FLAGS)]),
    account: account.id,
    filtered: active,
    ...(poll && { poll: pollOf(poll, given.hasFlags) }),
    ...(quote && { quote: quoteOf(quote, isFresh, given) }),
    ...(quote && !isFresh && { content: status.content.replace(QUOTE_LINK, '') }),
  }
}

/** What no event tells: some states of a quote, and that the status that a reply answers was deleted. */
const isUntold = (path: string, a: Json, b: Json): boolean =>
  path.endsWith('.quote') ? a === undefined || b === undefined : path.endsWith('.in_reply_to_id') && b === null

/** The fields in which two records differ, apart from what no event tells. */
const fieldsOf = (path: string, a: Json, b: Json): string[] => {
  if (JSON.stringify(a) === JSON.stringify(b) || isUntold(path, a, b)) return []
  if (a && b && typeof a === 'object' && typeof b === 'object' && !Array.isArray(a)) {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) => fieldsOf(`${path}.${key}`, a[key], b[key]))
  }
  return [`${path}: open ${JSON.stringify(a)?.slice(0, 300)}, reloaded ${JSON.stringify(b)?.slice(0, 300)}`]
}

/** A status with the filter results of another copy: after filters_changed a client applies filters to what it holds. */
const refiltered = (held: Json, found: Json): Json => {
  if (!held || !found) return held
  const [quoted, other] = [held.quote?.quoted_status, found.quote?.quoted_status]
  return {
    ...held,
    filtered: found.filtered,
    ...(held.reblog && { reblog: refiltered(held.reblog, found.reblog) }),
    ...(quoted && other && { quote: { ...held.quote, quoted_status: refiltered(quoted, other) } }),
  }
}

type Lists = {
  place: string
  held: readonly Json[]
  found: readonly Json[]
  gist: (record: Json) => Json
  refilter?: (held: Json, found: Json) => Json
}

const compareLists = ({ place, held, found, gist, refilter = (each) => each }: Lists): Difference[] => {
  const there = new Map(found.map((record) => [record.id, record]))
  const here = new Set(held.map(({ id }) => id))
  const differences = held.flatMap((entry): Difference[] => {
    const other = there.get(entry.id)
    if (!other) return [{ place, kind: 'extra', id: entry.id, entry }]
    const fields = fieldsOf('', gist(refilter(entry, other)), gist(other))
    return fields.map((values) => ({ place, kind: 'differs', id: entry.id, entry: other, values }))
  })
  const lacking = found.filter(({ id }) => !here.has(id))
  return [...differences, ...lacking.map((entry): Difference => ({ place, kind: 'lacks', id: entry.id, entry }))]
}

const SHARED = /^(public|hashtag)/

const inTimelines = (held: State, found: State, news: News, now: number): Difference[] =>
  [...found.timelines].flatMap(([place, loaded]) => {
    const shown = held.timelines.get(place)!
    // Entries within what both have loaded.
    const above = (entries: readonly Json[]) => entries.filter(({ id }) => BigInt(id) >= shown.floor && BigInt(id) >= loaded.floor)
    const given = { hasFlags: !SHARED.test(place), now, isFresh: (id: string) => news.updated.has(`${place} ${id}`) }
    return compareLists({
      ...{ place, held: above(shown.entries), found: above(loaded.entries), gist: (status) => promised(status, given) },
      ...(news.stale.has('filters') && { refilter: refiltered }),
    })
  })

const inNotifications = (held: State, found: State, news: News, now: number): Difference[] => {
  if (news.stale.has('notifications')) return []
  const isNew = (id: string) => news.notified.get('user')?.has(id) ?? false
  const gist = ({ status, account, ...rest }: Json) => ({
    ...rest,
    account: account.id,
    status: status && promised(status, { hasFlags: true, now, isFresh: (id) => isNew(rest.id) || news.updated.has(`user ${id}`) }),
  })
  const oldest = (list: readonly Json[]) => (list.length < 40 ? 0n : BigInt(list.at(-1).id))
  const floors = [oldest(held.notifications), oldest(found.notifications)]
  const above = (list: readonly Json[]) => list.filter(({ id }) => floors.every((floor) => BigInt(id) >= floor))
  const refilter = (each: Json, other: Json) => ({ ...each, status: refiltered(each.status, other.status) })
  return compareLists({
    ...{ place: 'notifications', held: above(held.notifications), found: above(found.notifications), gist },
    ...(news.stale.has('filters') && { refilter }),
  })
}

const inConversations = (held: State, found: State, news: News, now: number): Difference[] => {
  const gist = ({ id, unread, accounts, last_status: last }: Json) => {
    const isFresh = () => news.updated.has(`conversation ${id}`)
    return {
      unread,
      accounts: accounts.map((each: Json) => each.id).toSorted(),
      last: last && promised(last, { hasFlags: true, now, isFresh }),
    }
  }
  const refilter = (each: Json, other: Json) => ({ ...each, last_status: refiltered(each.last_status, other.last_status) })
  return compareLists({
    ...{ place: 'conversations', held: held.conversations, found: found.conversations, gist },
    ...(news.stale.has('filters') && { refilter }),
  })
}

/** The differences between a client and a reload at a time. */
export const differencesOf = ({ state, news }: Pick<Client, 'state' | 'news'>, found: State, now: number): Difference[] => {
  const reactionsOf = ({ reactions, read: _, ...rest }: Json) => ({
    ...rest,
    reactions: Object.fromEntries(reactions.map(({ me: _me, ...each }: Json) => [each.name, each])),
  })
  const [all = [], alone = []] = ['user', 'user:notification'].map((stream) => [...(news.notified.get(stream) ?? [])])
  return [
    ...inTimelines(state, found, news, now),
    ...inNotifications(state, found, news, now),
    ...inConversations(state, found, news, now),
    ...compareLists({ place: 'announcements', held: state.announcements, found: found.announcements, gist: reactionsOf }),
    ...compareLists({
      ...{ place: 'user:notification', gist: () => ({}) },
      ...{ held: alone.map((id) => ({ id })), found: all.map((id) => ({ id })) },
    }),
  ]
}
