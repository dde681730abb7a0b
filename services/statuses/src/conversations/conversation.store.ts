import { type Database, type Page, type Statement, statement } from '@rookery/database'
import type { StatusesTables } from '../database/schema.ts'
import type { OwnedConversation } from './conversation.events.ts'

/** A conversation as its owner has it. */
export type ConversationRow = { id: string; isUnread: boolean; participantIds: string[]; lastStatusId: string }

type Row = [id: string, isUnread: boolean, participantIds: string[], lastStatusId: string]

const MAX_ID = '9223372036854775807'
const COLUMNS = 'id, is_unread, participants, last_status_id'

const conversationOf = ([id, isUnread, participantIds, lastStatusId]: Row): ConversationRow => ({
  id,
  isUnread,
  participantIds,
  lastStatusId,
})

/** $1 owner, $2 below, $3 above, $4 limit. */
const list = (order: 'asc' | 'desc'): Statement<Row> =>
  statement(
    `conversations.list-${order}`,
    `select ${COLUMNS} from conversation where owner_id = $1 and not is_hidden and last_status_id < $2 and last_status_id > $3
     order by last_status_id ${order} limit $4`,
  )

const LISTS = { asc: list('asc'), desc: list('desc') }

const byId = statement<Row>('conversations.by-id', `select ${COLUMNS} from conversation where id = $1 and owner_id = $2 and not is_hidden`)

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

/** A part of somebody's conversations by last status, in the order it was read: one statement. */
export const readConversations = async (database: Db, ownerId: string, page: Page): Promise<ConversationRow[]> => {
  const values = [ownerId, page.maxId ?? MAX_ID, page.minId ?? page.sinceId ?? '0', page.limit]
  return (await LISTS[page.minId ? 'asc' : 'desc'](database, values)).map(conversationOf)
}

/** The conversation, unless it is another's, hidden or gone. */
export const readConversation = async (database: Db, { id, ownerId }: OwnedConversation): Promise<ConversationRow | undefined> => {
  const [row] = await byId(database, [id, ownerId])
  return row && conversationOf(row)
}

/** Marks the conversation; answers whether that changed anything. */
export const setMark = async (database: Db, { id, ownerId, isUnread }: OwnedConversation & { isUnread: boolean }): Promise<boolean> =>
  (await markRow(database, [id, ownerId, isUnread])).length > 0

/** Hides the conversation; answers whether it was there to be seen. */
export const hide = async (database: Db, { id, ownerId }: OwnedConversation): Promise<boolean> =>
  (await hideRow(database, [id, ownerId])).length > 0
