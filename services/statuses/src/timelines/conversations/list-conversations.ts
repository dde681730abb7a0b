import type { ConversationPage } from '@rookery/contracts/statuses'
import { cursorsOf, type Database, type Page } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { readConversations } from './conversation.store.ts'
import { conversationViews } from './conversation.views.ts'

/** An account's conversations by last status, latest first (spec, GET /api/v1/conversations; beyond-the-spec 1.6, 1.16). */
export const listConversations = ({ database, views }: { database: Database<StatusesTables>; views: Views }) => {
  const show = conversationViews(views)
  return async (ownerId: string, page: Page): Promise<ConversationPage> => {
    const found = await readConversations(database, ownerId, page)
    const { rows, cursors } = cursorsOf(page, found.rows, ({ cursor }) => cursor)
    return { ...(await show(ownerId, { ...found, rows })), cursors }
  }
}
