import { type Database, inBothOrders, keyset, type Order, onceFound, type Page, prepared, type Source } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { isVisibleTo } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { type PageValues, type Skeleton, skeletonStatement, type Viewer } from '../../views/index.ts'
import type { OwnedConversation } from './conversation.events.ts'

/** A conversation of an owner: with the latest status visible to them, and the cursor of lists. */
type ConversationRow = { id: string; isUnread: boolean; participantIds: string[]; lastStatusId: string; cursor: string }

/** Conversations in order of reading, the skeleton of their last statuses, and the participants, with the version of each. */
export type Conversations = { rows: ConversationRow[]; skeleton: Skeleton; people: Map<string, number> }

type Note = { conversations: ConversationRow[] | null; people: [id: string, version: number][] | null }

/**
 * The latest status of a conversation that its owner may see. Looked up on reading: the row is updated after a deletion, but not after a block or a
 * suspension.
 */
const latestFor = (ownerId: string) => sql`select said.status_id, h.author_id
  from conversation_status said join status_head h on h.id = said.status_id
  where said.conversation_id = conversation.id and ${isVisibleTo('h', sql`${ownerId}`)}
  order by said.status_id desc limit 1`

/** The viewer is the owner. Conversations without a visible status are left out. */
const conversations = <Values extends Viewer>(name: string, condition: (given: Values) => RawBuilder<unknown>, order: Order) =>
  skeletonStatement<Values, Note>(`conversations.${name}`, {
    page: () => sql`select status_id, null::bigint reblog_of_id from c order by last_status_id ${sql.raw(order)}`,
    parts: (given) => sql`c as materialized (
        select id, is_unread and latest.author_id <> owner_id is_unread, participants, last_status_id, latest.status_id
        from conversation cross join lateral (${latestFor(given.viewerId)}) latest
        where ${condition(given)})`,
    note: () => sql`(select json_build_object(
        'conversations', json_agg(json_build_object('id', id::text, 'isUnread', is_unread, 'participantIds', participants::text[],
          'lastStatusId', status_id::text, 'cursor', last_status_id::text) order by last_status_id ${sql.raw(order)}),
        'people', (select json_agg(json_build_array(id::text, version)) from account
          where id = any(array(select unnest(participants) from c)) and closed_at is null))
        from c)`,
  })

const LISTS = inBothOrders((order) =>
  conversations<PageValues>(
    `list-${order}`,
    ({
      viewerId,
      below,
      above,
      limit,
    }) => sql`owner_id = ${viewerId} and not is_hidden and last_status_id < ${below} and last_status_id > ${above}
      order by last_status_id ${sql.raw(order)} limit ${limit}`,
    order,
  ),
)

const byId = conversations<Viewer & { id: string }>(
  'by-id',
  ({ id, viewerId }) => sql`id = ${id} and ${onceFound(sql`owner_id = ${viewerId} and not is_hidden`)}`,
  'desc',
)

const conversationsOf = (skeleton: Skeleton<Note>): Conversations => ({
  rows: skeleton.note.conversations ?? [],
  skeleton,
  people: new Map(skeleton.note.people),
})

const mark = prepared(
  'conversations.mark',
  ({ id, ownerId, isUnread }: OwnedConversation & { isUnread: boolean }) => sql<{ id: string }>`
    update conversation set is_unread = ${isUnread}
    where id = ${id} and ${onceFound(sql`owner_id = ${ownerId} and not is_hidden`)} and is_unread <> ${isUnread} returning id`,
)

/** Deletes the conversation's statuses too, so that they do not return with it. */
const hideRow = prepared(
  'conversations.hide',
  ({ id, ownerId }: OwnedConversation) => sql<{ id: string }>`
    with hidden as (
      update conversation set is_hidden = true, is_unread = false where id = ${id} and ${onceFound(sql`owner_id = ${ownerId} and not is_hidden`)} returning id),
    forgotten as (delete from conversation_status where conversation_id in (select id from hidden))
    select id from hidden`,
)

type Db = Database<StatusesTables>

/** A part of an account's conversations, by last status: one statement. */
export const readConversations = async (database: Db, ownerId: string, page: Page): Promise<Conversations> => {
  const { order, below, above, limit } = keyset(page)
  return conversationsOf(await LISTS[order](database, { viewerId: ownerId, below, above, limit }))
}

/** One conversation; empty if it is another's, hidden or deleted. */
export const readConversation = async (database: Db, { id, ownerId }: OwnedConversation): Promise<Conversations> =>
  conversationsOf(await byId(database, { viewerId: ownerId, id }))

/** Marks a conversation; returns whether the mark changed. */
export const setMark = async (source: Source, conversation: OwnedConversation & { isUnread: boolean }): Promise<boolean> =>
  (await mark(source, conversation)).length > 0

/** Hides a conversation; returns whether it was visible. */
export const hide = async (database: Db, conversation: OwnedConversation): Promise<boolean> =>
  (await hideRow(database, conversation)).length > 0
