import { PAGE_SIZES } from '@rookery/contracts/limits'
import { User } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { form, pageOf, paging } from '../http/fields.ts'
import { accountsReply } from './replies.ts'

export const readFollowRequests = endpoint({
  method: 'GET',
  path: '/api/v1/follow_requests',
  access: User('read:follows'),
  summary: 'Pending follow requests to the viewer.',
  input: form(paging(PAGE_SIZES.people)),
  handle: async ({ call, input, viewerId }, clients) =>
    accountsReply(await clients.graph.readFollowRequests(call, { accountId: viewerId, viewerId, page: pageOf(input) }), clients),
})
