import type { World } from '@rookery/test-world'
import { query } from '@rookery/test-world/queries'

/** The rows feeds are made of, as they stand. */
export type Rows = Awaited<ReturnType<typeof rowsOf>>
type Status = Rows['statuses'][number]

const keyOf = (...ids: string[]) => ids.join(' ')
// biome-ignore lint/suspicious/noExplicitAny: rows as the database gives them
const setOf = (rows: readonly any[]) => new Set(rows.map((row) => keyOf(...(Object.values(row) as string[]))))

/** Reads everything at once. */
export const rowsOf = async (world: World) => {
  const read = (text: string) => query(world, text)
  const now = new Date(world.clock.now())
  const statuses: {
    id: string
    author: string
    visibility: number
    reblogOf: string | null
    language: string | null
    parent: string | null
    replyTo: string | null
  }[] = await read(`select h.id, h.author_id author, h.visibility, h.reblog_of_id "reblogOf", s.language, s.in_reply_to_id parent,
    s.in_reply_to_account_id "replyTo" from statuses.status_head h join statuses.status s using (id) order by h.id`)
  const follows = await read('select account_id, target_id, reblogs, languages from statuses.follow')
  const mutes = await query(world, 'select account_id, target_id from statuses.mute where expires_at is null or expires_at > $1', [now])
  const lists: { id: string; owner: string; policy: string; isExclusive: boolean }[] = await read(
    'select id, account_id owner, replies_policy policy, is_exclusive "isExclusive" from statuses.list',
  )
  const feeds = new Map<string, string[]>()
  for (const row of await read('select account_id, status_id from statuses.feed order by status_id')) {
    feeds.set(row.account_id, [...(feeds.get(row.account_id) ?? []), row.status_id])
  }
  const grouped = (rows: { id: string; value: string }[]) => {
    const groups = new Map<string, string[]>()
    for (const { id, value } of rows) groups.set(id, [...(groups.get(id) ?? []), value])
    return groups
  }
  return {
    statuses,
    byId: new Map(statuses.map((status) => [status.id, status])),
    follows: new Map(follows.map((row) => [keyOf(row.account_id, row.target_id), row as { reblogs: boolean; languages: string[] | null }])),
    blocks: setOf(await read('select account_id, target_id from statuses.block')),
    mutes: setOf(mutes),
    lists,
    members: setOf(await read('select list_id, account_id from statuses.list_member')),
    followedTags: setOf(await read('select account_id, name from statuses.tag_follow')),
    mentions: grouped(await read('select status_id id, account_id value from statuses.mention')),
    tags: grouped(await read('select status_id id, name value from statuses.status_tag')),
    feeds,
  }
}

/** Whether a block or a mute keeps a status from a reader. */
const isKeptAway = (rows: Rows, status: Status, reader: string): boolean => {
  const original = status.reblogOf ? rows.byId.get(status.reblogOf)! : status
  const involved = [status.author, original.author, ...(rows.mentions.get(original.id) ?? [])]
  if (involved.some((id) => rows.blocks.has(keyOf(reader, id)) || rows.mutes.has(keyOf(reader, id)))) return true
  return [status.author, original.author].some((id) => rows.blocks.has(keyOf(id, reader)))
}

/** What a follow brings, but for replies to others: those are for each feed to say. */
const isCarried = (rows: Rows, status: Status, reader: string): boolean => {
  const follow = rows.follows.get(keyOf(reader, status.author))
  if (!follow || isKeptAway(rows, status, reader)) return false
  if (status.reblogOf && !follow.reblogs) return false
  if (follow.languages && status.language && !follow.languages.includes(status.language)) return false
  return status.parent === null || rows.byId.has(status.parent)
}

const isReplyElsewhere = ({ replyTo, author }: Status, reader: string) => replyTo !== null && replyTo !== reader && replyTo !== author

/** Whether a status belongs in someone's home, boosts shown twice aside: beyond-the-spec 1.12, read sentence by sentence. */
export const belongsInHome = (rows: Rows, status: Status, reader: string): boolean => {
  if (status.author === reader) return true
  const isTagged = (rows.tags.get(status.id) ?? []).some((tag) => rows.followedTags.has(keyOf(reader, tag)))
  if (isTagged && status.visibility === 1 && !status.reblogOf && !isKeptAway(rows, status, reader)) return true
  if (!isCarried(rows, status, reader)) return false
  if (rows.lists.some((list) => list.owner === reader && list.isExclusive && rows.members.has(keyOf(list.id, status.author)))) return false
  if (status.visibility === 4 && !rows.mentions.get(status.id)?.includes(reader)) return false
  return !isReplyElsewhere(status, reader) || rows.follows.has(keyOf(reader, status.replyTo!))
}

/** Whether a list shows a status. */
export const belongsInList = (rows: Rows, status: Status, list: Rows['lists'][number]): boolean => {
  if (!rows.members.has(keyOf(list.id, status.author)) || status.visibility === 4 || !isCarried(rows, status, list.owner)) return false
  if (!isReplyElsewhere(status, list.owner)) return true
  if (list.policy === 'followed') return rows.follows.has(keyOf(list.owner, status.replyTo!))
  return list.policy === 'list' && rows.members.has(keyOf(list.id, status.replyTo!))
}

/** What comes, oldest first, without boosts of what is among the 80 before. */
export const asTheyCome = (statuses: readonly Status[]): Status[] => {
  const shown: Status[] = []
  for (const status of statuses) {
    const near = shown.slice(-80)
    const isRepeat = status.reblogOf && near.some((other) => other.id === status.reblogOf || other.reblogOf === status.reblogOf)
    if (!isRepeat) shown.push(status)
  }
  return shown
}

/** One's own boost stays in one's home behind a block or mute, where no page shows it. */
const isHiddenWhenRead = (rows: Rows, status: Status, reader: string) =>
  status.author === reader && status.reblogOf !== null && isKeptAway(rows, status, reader)

/** What is wrong with a home as it is stored, or as its owner reads it: what should not be there, and what should. */
export const faultsOf = (rows: Rows, reader: string, { isRead = false } = {}): string[] => {
  const stored = new Set(rows.feeds.get(reader) ?? [])
  const originals = new Set([...stored].map((id) => rows.byId.get(id)?.reblogOf ?? id))
  const faults: string[] = []
  for (const status of rows.statuses) {
    const belongs = belongsInHome(rows, status, reader)
    const isShown = stored.delete(status.id)
    if (isRead && isHiddenWhenRead(rows, status, reader)) continue
    // Of several boosts of one status one is enough, and none beside the status itself.
    const isCovered = status.reblogOf !== null && originals.has(status.reblogOf)
    if (isShown && !belongs) faults.push(`${reader} has ${JSON.stringify(status)}`)
    if (!isShown && belongs && !isCovered) faults.push(`${reader} lacks ${JSON.stringify(status)}`)
  }
  return [...faults, ...[...stored].map((id) => `${reader} has ${id}, which is gone`)]
}
