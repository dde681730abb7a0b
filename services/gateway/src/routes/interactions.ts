import { PAGE_SIZES } from '@rookery/contracts/limits'
import type { StatusPage } from '@rookery/contracts/statuses'
import type { LimitName } from '@rookery/http/limits'
import type { Call } from '@rookery/rpc'
import type { Clients } from '../clients.ts'
import { Public, User } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { form, pageOf, paging, text } from '../http/fields.ts'
import { accountsReply, recordId, statusReply } from './replies.ts'
import { visibilityOf } from './statuses.ts'

type Act = (call: Call, request: { viewerId: string; statusId: string }) => Promise<StatusPage>

const act = (
  given: { path: string; scope: string; summary: string; limits?: readonly LimitName[] },
  choose: (interactions: Clients['interactions']) => Act,
) =>
  endpoint({
    method: 'POST',
    path: given.path,
    access: User(given.scope),
    summary: given.summary,
    limits: given.limits ?? [],
    handle: async ({ call, params, viewerId }, clients) =>
      statusReply(await choose(clients.interactions)(call, { viewerId, statusId: recordId(params) }), clients),
  })

export const favouriteStatus = act(
  { path: '/api/v1/statuses/:id/favourite', scope: 'write:favourites', summary: 'Favourites a status.' },
  (interactions) => interactions.favourite,
)
export const unfavouriteStatus = act(
  { path: '/api/v1/statuses/:id/unfavourite', scope: 'write:favourites', summary: 'Removes a favourite.' },
  (interactions) => interactions.unfavourite,
)
export const bookmarkStatus = act(
  { path: '/api/v1/statuses/:id/bookmark', scope: 'write:bookmarks', summary: 'Bookmarks a status.' },
  (interactions) => interactions.bookmark,
)
export const unbookmarkStatus = act(
  { path: '/api/v1/statuses/:id/unbookmark', scope: 'write:bookmarks', summary: 'Removes a bookmark.' },
  (interactions) => interactions.unbookmark,
)
export const unreblogStatus = act(
  { path: '/api/v1/statuses/:id/unreblog', scope: 'write:statuses', summary: 'Undoes a boost.', limits: ['deletions'] },
  (interactions) => interactions.unreblog,
)

export const reblogStatus = endpoint({
  method: 'POST',
  path: '/api/v1/statuses/:id/reblog',
  access: User('write:statuses'),
  summary: 'Boosts a status; the answer is the boost.',
  input: form({ visibility: text() }),
  handle: async ({ call, params, input, viewerId }, clients) => {
    const request = { viewerId, statusId: recordId(params), visibility: visibilityOf(input.visibility) }
    return statusReply(await clients.interactions.reblog(call, request), clients)
  },
})

const actors = (path: string, summary: string, list: 'readFavouritedBy' | 'readRebloggedBy') =>
  endpoint({
    method: 'GET',
    path,
    access: Public('read:statuses'),
    summary,
    input: form(paging(PAGE_SIZES.people)),
    handle: async ({ call, params, input, viewerId }, clients) =>
      accountsReply(await clients.interactions[list](call, { statusId: recordId(params), viewerId, page: pageOf(input) }), clients),
  })

export const readFavouritedBy = actors('/api/v1/statuses/:id/favourited_by', 'Who favourited a status, latest first.', 'readFavouritedBy')
export const readRebloggedBy = actors('/api/v1/statuses/:id/reblogged_by', 'Who boosted a status, latest first.', 'readRebloggedBy')
