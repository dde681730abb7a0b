import { PAGE_SIZES } from '@rookery/contracts/limits'
import { User } from '../http/access.ts'
import { endpoint, STATUS_LIST } from '../http/endpoint.ts'
import { form, pageOf, paging } from '../http/fields.ts'
import { statusesReply } from './replies.ts'

export const readBookmarks = endpoint({
  method: 'GET',
  path: '/api/v1/bookmarks',
  access: User('read:bookmarks'),
  summary: 'Bookmarked statuses, latest first.',
  input: form(paging(PAGE_SIZES.statuses)),
  handle: async ({ call, input, viewerId }, clients) =>
    statusesReply(await clients.interactions.readBookmarks(call, { viewerId, page: pageOf(input) }), clients, STATUS_LIST),
})
