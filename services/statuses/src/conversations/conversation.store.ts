import { type Database, inBothOrders, keyset, type Page, statement } from '@rookery/database'
import type { StatusesTables } from '../database/schema.ts'
import { type Skeleton, skeletonOf, skeletonStatement } from '../views/index.ts'
import type { OwnedConversation } from './conversation.events.ts'

/** A conversation as its owner has it. */
export type ConversationRow = { id: string; isUnread: boolean; participantIds: string[]; lastStatusId: string }

/** Conversations in the order they were read, the skeleton of their last statuses, and who takes part, with the version of each. */
export type Conversations = { rows: ConversationRow[]; skeleton: Skeleton; people: Map<string, number> }

type Note = { conversations: ConversationRow[] | null; people: [id: string, version: number][] | null }

/** The owner is $1. A last status that is gone is not in the skeleton. */
const conversations = (name: string, condition: string, order: 'asc' | 'desc') =>
  skeletonStatement(
    `conversations.${name}`,
    `select c.last_status_id status_id, h.reblog_of_id from c join status_head h on h.id = c.last_status_id order by c.last_status_id ${order}`,
    {
      withAudience: true,
      parts: `c as materialized (select id, is_unread, participants, last_status_id from conversation
        where owner_id = $1 and not is_hidden and ${condition})`,
      note: `(select json_build_object(
        'conversations', json_agg(json_build_object('id', id::text, 'isUnread', is_unread, 'participantIds', participants::text[],
          'lastStatusId', last_status_id::text) order by last_status_id ${order}),
        'people', (select json_agg(json_build_array(id::text, version)) from account
          where id = any(array(select unnest(participants) from c)) and closed_at is null))
        from c)::text`,
    },
  )

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

const markRow = statement<[id: string]>(
  'conversations.mark',
  `update conversation set is_unread = $3 where id = $1 and owner_id = $2 and not is_hidden and is_unread <> $3 returning id`,
)

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
export const setMark = async (database: Db, { id, ownerId, isUnread }: OwnedConversation & { isUnread: boolean }): Promise<boolean> =>
  (await markRow(database, [id, ownerId, isUnread])).length > 0

/** Hides the conversation; answers whether it was there to be seen. */
export const hide = async (database: Db, { id, ownerId }: OwnedConversation): Promise<boolean> =>
  (await hideRow(database, [id, ownerId])).length > 0
