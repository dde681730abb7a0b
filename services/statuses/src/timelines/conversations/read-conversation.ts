import type { ConversationPage } from '@rookery/contracts/statuses'
import type { Database } from '@rookery/database'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import type { OwnedConversation } from './conversation.events.ts'
import { readConversation as readRow } from './conversation.store.ts'
import { conversationViews } from './conversation.views.ts'

/** One conversation as its owner sees it; an empty page when it is another's, hidden or gone. */
export const readConversation = ({ database, views }: { database: Database<StatusesTables>; views: Views }) => {
  const show = conversationViews(views)
  return async (owned: OwnedConversation): Promise<ConversationPage> => show(owned.ownerId, await readRow(database, owned))
}
