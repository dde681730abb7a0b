import { PAGE_SIZES } from '@rookery/contracts/limits'
import { type ConversationRequest, ConversationsDefinition } from '@rookery/contracts/statuses'
import { type Database, pageWithin } from '@rookery/database'
import type { Outbox } from '@rookery/events'
import { type Handler, handler } from '@rookery/rpc'
import type { StatusesTables } from '../../database/schema.ts'
import type { Views } from '../../views/index.ts'
import { hideConversation } from './hide-conversation.ts'
import { listConversations } from './list-conversations.ts'
import { markConversation } from './mark-conversation.ts'
import { readConversation } from './read-conversation.ts'

type Deps = { database: Database<StatusesTables>; views: Views; outbox: Outbox }

const ownedOf = ({ id, viewerId }: ConversationRequest) => ({ id, ownerId: viewerId })

/** Serves Conversations of the contract. */
export const createConversationsRpc = (deps: Deps): Handler => {
  const list = listConversations(deps)
  const read = readConversation(deps)
  const mark = markConversation(deps)
  const hide = hideConversation(deps)
  return handler(ConversationsDefinition, {
    list: (_call, { viewerId, page }) => list(viewerId, pageWithin(PAGE_SIZES.conversations, page)),
    markRead: (_call, request) => mark(ownedOf(request), { isUnread: false }),
    markUnread: (_call, request) => mark(ownedOf(request), { isUnread: true }),
    hide: async (_call, request) => {
      await hide(ownedOf(request))
      return {}
    },
    read: (_call, request) => read(ownedOf(request)),
  })
}
