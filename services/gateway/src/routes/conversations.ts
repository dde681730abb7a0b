import { PAGE_SIZES } from '@rookery/contracts/limits'
import type { ConversationPage } from '@rookery/contracts/statuses'
import { conversationsJson, jsonList } from '@rookery/entities'
import { orNotFound } from '@rookery/failures'
import type { Call } from '@rookery/rpc'
import type { Clients } from '../clients.ts'
import { User } from '../http/access.ts'
import { endpoint, Reply, STATUS_LIST } from '../http/endpoint.ts'
import { form, pageOf, paging } from '../http/fields.ts'
import { recordId } from './replies.ts'

export const listConversations = endpoint({
  method: 'GET',
  path: '/api/v1/conversations',
  access: User('read:statuses'),
  summary: 'Direct conversations, the one with the latest status first.',
  input: form(paging(PAGE_SIZES.conversations)),
  handle: async ({ call, input, viewerId }, { conversations, render }) => {
    const page = await conversations.list(call, { viewerId, page: pageOf(input) })
    return new Reply(jsonList(conversationsJson(page, render)), { page: { cursors: page.cursors, style: STATUS_LIST } })
  },
})

export const hideConversation = endpoint({
  method: 'DELETE',
  path: '/api/v1/conversations/:id',
  access: User('write:conversations'),
  summary: 'Hides a conversation until its next message.',
  handle: async ({ call, params, viewerId }, { conversations }) => {
    await conversations.hide(call, { id: recordId(params), viewerId })
    return {}
  },
})

type Mark = (call: Call, request: { id: string; viewerId: string }) => Promise<ConversationPage>

const mark = (given: { path: string; summary: string }, choose: (conversations: Clients['conversations']) => Mark) =>
  endpoint({
    method: 'POST',
    path: given.path,
    access: User('write:conversations'),
    summary: given.summary,
    handle: async ({ call, params, viewerId }, { conversations, render }) => {
      const page = await choose(conversations)(call, { id: recordId(params), viewerId })
      return orNotFound(conversationsJson(page, render)[0])
    },
  })

export const readConversation = mark(
  { path: '/api/v1/conversations/:id/read', summary: 'Marks a conversation as read.' },
  (conversations) => conversations.markRead,
)
export const unreadConversation = mark(
  { path: '/api/v1/conversations/:id/unread', summary: 'Marks a conversation as unread.' },
  (conversations) => conversations.markUnread,
)
