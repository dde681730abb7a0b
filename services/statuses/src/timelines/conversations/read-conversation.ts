import type { ConversationPage } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import type { OwnedConversation } from './conversation.events.ts'
import { readConversation as readRow } from './conversation.store.ts'
import { conversationViews } from './conversation.views.ts'

/** One conversation for its owner; an empty page if it is another's, hidden or deleted. */
export const readConversation = ({ database, views }: { database: Database<StatusesTables>; views: Views }) => {
  const show = conversationViews(views)
  return async (owned: OwnedConversation): Promise<ConversationPage> => show(owned.ownerId, await readRow(database, owned))
}
