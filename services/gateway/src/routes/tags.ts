import { PAGE_SIZES } from '@rookery/contracts/limits'
import type { TagView } from '@rookery/contracts/statuses'
import { tagEntity } from '@rookery/entities'
import type { Call } from '@rookery/rpc'
import type { Clients } from '../clients.ts'
import { Public, User } from '../http/access.ts'
import { ACCOUNT_LIST, endpoint, Reply } from '../http/endpoint.ts'
import { form, pageOf, paging } from '../http/fields.ts'

export const readTagUse = endpoint({
  method: 'GET',
  path: '/api/v1/tags/:name',
  access: Public(),
  summary: 'A hashtag and how it was used in public within the past week.',
  handle: async ({ call, params, viewerId }, { tags, render }) =>
    tagEntity(await tags.read(call, { name: params['name'], viewerId }), render.urls),
})

type Act = (call: Call, request: { name: string; viewerId: string }) => Promise<TagView>

const act = (given: { path: string; scope: string; summary: string }, choose: (clients: Clients) => Act) =>
  endpoint({
    method: 'POST',
    path: given.path,
    access: User(given.scope),
    summary: given.summary,
    handle: async ({ call, params, viewerId }, clients) =>
      tagEntity(await choose(clients)(call, { name: params['name'] ?? '', viewerId }), clients.render.urls),
  })

export const followTag = act(
  { path: '/api/v1/tags/:name/follow', scope: 'write:follows', summary: 'Follows a hashtag; idempotent.' },
  ({ tags }) => tags.follow,
)
export const unfollowTag = act(
  { path: '/api/v1/tags/:name/unfollow', scope: 'write:follows', summary: 'Unfollows a hashtag; no error when it was not followed.' },
  ({ tags }) => tags.unfollow,
)
export const featureTag = act(
  { path: '/api/v1/tags/:name/feature', scope: 'write:accounts', summary: 'Features a hashtag on one’s profile; idempotent.' },
  ({ featuredTags }) => featuredTags.feature,
)
export const unfeatureTag = act(
  {
    path: '/api/v1/tags/:name/unfeature',
    scope: 'write:accounts',
    summary: 'Removes a featured hashtag; no error when it is not featured.',
  },
  ({ featuredTags }) => featuredTags.unfeature,
)

export const readFollowedTags = endpoint({
  method: 'GET',
  path: '/api/v1/followed_tags',
  access: User('read:follows'),
  summary: 'Hashtags the viewer follows, the latest first.',
  input: form(paging(PAGE_SIZES.tags)),
  handle: async ({ call, input, viewerId }, { tags, render }) => {
    const page = await tags.readFollowed(call, { viewerId, page: pageOf(input) })
    const entities = page.tags.map((tag) => tagEntity(tag, render.urls))
    return new Reply(entities, { page: { cursors: page.cursors, style: ACCOUNT_LIST } })
  },
})
