import type { ConversationPage } from '@rookery/contracts/statuses'
import type { Views } from '../views/index.ts'
import { accountsShown } from './conversation.rules.ts'
import type { Conversations } from './conversation.store.ts'

/**
 * Conversations as their owner sees them, with the last statuses and everybody's accounts: no further statement when all is in memory. A
 * last status that was deleted, or that a block by its author keeps away, is not among the views.
 */
export const conversationViews =
  (views: Views) =>
  async (ownerId: string, { rows, skeleton, people }: Conversations): Promise<ConversationPage> => {
    const conversations = rows.map(({ id, isUnread, participantIds, lastStatusId }) => ({
      id,
      isUnread,
      accountIds: accountsShown(participantIds, ownerId),
      lastStatusId,
    }))
    if (conversations.length === 0) return { conversations, views: undefined, cursors: undefined }
    const shown = new Set(conversations.flatMap(({ accountIds }) => accountIds))
    const statuses = await views.assemble(ownerId, skeleton, 'direct')
    // Then, because most of them wrote the statuses and are in memory by now.
    const accounts = await views.accountsAt(new Map([...people].filter(([id]) => shown.has(id))))
    const everybody = new Map([...statuses.accounts, ...accounts].map((account) => [account.id, account]))
    return { conversations, views: { ...statuses, accounts: [...everybody.values()] }, cursors: undefined }
  }
