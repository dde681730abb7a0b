import type { ConversationPage } from '@rookery/contracts/statuses'
import { type Database, transact } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { notFound } from '@rookery/failures'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { conversationMarked, type OwnedConversation } from './conversation.events.ts'
import { setMark } from './conversation.store.ts'
import { readConversation } from './read-conversation.ts'

type Deps = { database: Database<StatusesTables>; views: Views; outbox: Outbox }

/**
 * Marks a conversation as read or unread and returns it; a changed mark is published to the owner's streams (spec, POST read; beyond-the-spec 2.3 and
 * 1.7).
 * @throws Failure not_found if it is another's, hidden or deleted
 */
export const markConversation = (deps: Deps) => {
  const read = readConversation(deps)
  return async (owned: OwnedConversation, { isUnread }: { isUnread: boolean }): Promise<ConversationPage> => {
    await transact(deps.database.db, async (tx) => {
      if (await setMark(tx, { ...owned, isUnread })) await deps.outbox.append(tx, [conversationMarked(owned)])
    })
    const page = await read(owned)
    if (page.conversations.length === 0) throw notFound(`conversation ${owned.id} is not ${owned.ownerId}'s`)
    return page
  }
}
