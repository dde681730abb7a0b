import { type Database, inBothOrders, keyset, type Page, runText, sqlText, statement, type Tx } from '@rookery/database'
import { isVisibleTo } from '../../audience/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import { type Skeleton, skeletonOf, skeletonStatement } from '../../views/index.ts'
import type { OwnedConversation } from './conversation.events.ts'

/** A conversation as its owner has it: the latest status in it that they may see, and what lists are paged by. */
export type ConversationRow = { id: string; isUnread: boolean; participantIds: string[]; lastStatusId: string; cursor: string }

/** Conversations in the order they were read, the skeleton of their last statuses, and who takes part, with the version of each. */
export type Conversations = { rows: ConversationRow[]; skeleton: Skeleton; people: Map<string, number> }

type Note = { conversations: ConversationRow[] | null; people: [id: string, version: number][] | null }

/**
 * The latest status of a conversation that its owner ($1) may see. It is looked up when it is read: the row learns of a deletion later, and
 * of a block or a suspension never.
 */
const LATEST = sqlText`select said.status_id, h.author_id
  from conversation_status said join status_head h on h.id = said.status_id
  where said.conversation_id = conversation.id and ${isVisibleTo('h', '$1')}
  order by said.status_id desc limit 1`

/** The owner is $1. A conversation with nothing left to see is left out. */
const conversations = (name: string, condition: string, order: 'asc' | 'desc') =>
  skeletonStatement(`conversations.${name}`, `select status_id, null::bigint reblog_of_id from c order by last_status_id ${order}`, {
    withAudience: true,
    parts: `c as materialized (
        select id, is_unread and latest.author_id <> owner_id is_unread, participants, last_status_id, latest.status_id
        from conversation cross join lateral (${LATEST}) latest
        where owner_id = $1 and not is_hidden and ${condition})`,
    note: `(select json_build_object(
        'conversations', json_agg(json_build_object('id', id::text, 'isUnread', is_unread, 'participantIds', participants::text[],
          'lastStatusId', status_id::text, 'cursor', last_status_id::text) order by last_status_id ${order}),
        'people', (select json_agg(json_build_array(id::text, version)) from account
          where id = any(array(select unnest(participants) from c)) and closed_at is null))
        from c)::text`,
  })

/** $2 below, $3 above, $4 limit. */
const list = (order: 'asc' | 'desc') =>
  conversations(`list-${order}`, `last_status_id < $2 and last_status_id > $3 order by last_status_id ${order} limit $4`, order)

const LISTS = inBothOrders(list)

const byId = conversations('by-id', 'id = $2', 'desc')

const conversationsOf = (rows: Awaited<ReturnType<typeof byId>>): Conversations => {
  const skeleton = skeletonOf(rows)
  const note = JSON.parse(skeleton.note ?? '{}') as Note
  return { rows: note.conversations ?? [], skeleton, people: new Map(note.people) }
}

const MARK = 'update conversation set is_unread = $3 where id = $1 and owner_id = $2 and not is_hidden and is_unread <> $3 returning id'

/** What was said before is forgotten with it, so that nothing of it comes back. */
const hideRow = statement<[id: string]>(
  'conversations.hide',
  `with hidden as (
     update conversation set is_hidden = true, is_unread = false where id = $1 and owner_id = $2 and not is_hidden returning id),
   forgotten as (delete from conversation_status where conversation_id in (select id from hidden))
   select id from hidden`,
)

type Db = Database<StatusesTables>

/** A part of somebody's conversations by last status: one statement. */
export const readConversations = async (database: Db, ownerId: string, page: Page): Promise<Conversations> => {
  const { order, bounds } = keyset(page)
  return conversationsOf(await LISTS[order](database, [ownerId, ...bounds]))
}

/** The conversation, or none when it is another's, hidden or gone. */
export const readConversation = async (database: Db, { id, ownerId }: OwnedConversation): Promise<Conversations> =>
  conversationsOf(await byId(database, [ownerId, id]))

/** Marks the conversation; answers whether that changed anything. */
export const setMark = async (
  tx: Tx<StatusesTables>,
  { id, ownerId, isUnread }: OwnedConversation & { isUnread: boolean },
): Promise<boolean> => (await runText<{ id: string }, StatusesTables>(tx, MARK, [id, ownerId, isUnread])).length > 0

/** Hides the conversation; answers whether it was there to be seen. */
export const hide = async (database: Db, { id, ownerId }: OwnedConversation): Promise<boolean> =>
  (await hideRow(database, [id, ownerId])).length > 0
