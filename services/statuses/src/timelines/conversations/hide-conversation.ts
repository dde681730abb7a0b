import type { Database } from '@rookery/database'
import { notFound } from '@rookery/failures'
import type { StatusesTables } from '../../database/schema.ts'
import type { OwnedConversation } from './conversation.events.ts'
import { hide } from './conversation.store.ts'

/**
 * Hides a conversation from its owner's list until a new message (spec, DELETE /api/v1/conversations/:id; beyond-the-spec 1.16).
 * @throws Failure not_found if it is another's, hidden or deleted
 */
export const hideConversation =
  ({ database }: { database: Database<StatusesTables> }) =>
  async (owned: OwnedConversation): Promise<void> => {
    if (!(await hide(database, owned))) throw notFound(`conversation ${owned.id} is not ${owned.ownerId}'s`)
  }
