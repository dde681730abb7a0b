import type { ConversationPage } from '@rookery/contracts/statuses'
import type { Views } from '../../views/index.ts'
import { accountsShown } from './conversation.rules.ts'
import type { Conversations } from './conversation.store.ts'

/**
 * Conversations for their owner, with the last statuses and all accounts: no further statement if everything is cached. A conversation whose last
 * status cannot be shown is left out: clients require it (spec, Conversation).
 */
export const conversationViews =
  (views: Views) =>
  async (ownerId: string, { rows, skeleton, people }: Conversations): Promise<ConversationPage> => {
    if (rows.length === 0) return { conversations: [], views: undefined, cursors: undefined }
    const statuses = await views.present(ownerId, skeleton, 'direct')
    const readable = new Set(statuses.items.map(({ id }) => id))
    const conversations = rows
      .filter(({ lastStatusId }) => readable.has(lastStatusId))
      .map(({ id, isUnread, participantIds, lastStatusId }) => ({
        id,
        isUnread,
        accountIds: accountsShown(
          participantIds.filter((each) => people.has(each)),
          ownerId,
        ),
        lastStatusId,
      }))
    const shown = new Set(conversations.flatMap(({ accountIds }) => accountIds))
    // After the statuses, because most participants wrote one of them and are cached by then.
    const accounts = await views.accountsAt([...people].flatMap(([id, version]) => (shown.has(id) ? { id, version } : [])))
    const everyone = new Map([...statuses.accounts, ...accounts].map((account) => [account.id, account]))
    return { conversations, views: { ...statuses, accounts: [...everyone.values()] }, cursors: undefined }
  }
