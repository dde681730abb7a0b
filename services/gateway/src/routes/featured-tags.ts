import { featuredTagEntity, tagEntity } from '@rookery/entities'
import type { Call } from '@rookery/rpc'
import type { Clients } from '../clients.ts'
import { Public, User } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { form, text } from '../http/fields.ts'
import { recordId } from './replies.ts'

const list = async (call: Call, accountId: string, { featuredTags, render }: Clients) =>
  (await featuredTags.list(call, { accountId })).featuredTags.map((tag) => featuredTagEntity(tag, render.urls))

export const readFeaturedTags = endpoint({
  method: 'GET',
  path: '/api/v1/featured_tags',
  access: User('read:accounts'),
  summary: 'Hashtags on the viewer’s profile.',
  handle: ({ call, viewerId }, clients) => list(call, viewerId, clients),
})

export const readAccountFeaturedTags = endpoint({
  method: 'GET',
  path: '/api/v1/accounts/:id/featured_tags',
  access: Public('read:accounts'),
  summary: 'Hashtags on someone’s profile.',
  handle: ({ call, params }, clients) => list(call, recordId(params), clients),
})

export const addFeaturedTag = endpoint({
  method: 'POST',
  path: '/api/v1/featured_tags',
  access: User('write:accounts'),
  summary: 'Features a hashtag on one’s profile.',
  input: form({ name: text() }),
  handle: async ({ call, input, viewerId }, { featuredTags, render }) =>
    featuredTagEntity(await featuredTags.add(call, { viewerId, name: input.name }), render.urls),
})

export const removeFeaturedTag = endpoint({
  method: 'DELETE',
  path: '/api/v1/featured_tags/:id',
  access: User('write:accounts'),
  summary: 'Removes a featured hashtag.',
  handle: async ({ call, params, viewerId }, { featuredTags }) => {
    await featuredTags.remove(call, { id: recordId(params), viewerId })
    return {}
  },
})

export const suggestFeaturedTags = endpoint({
  method: 'GET',
  path: '/api/v1/featured_tags/suggestions',
  access: User('read:accounts'),
  summary: 'Suggested hashtags to feature: the viewer’s most used recent ones.',
  handle: async ({ call, viewerId }, { featuredTags, render }) =>
    (await featuredTags.suggest(call, { viewerId })).tags.map((tag) => tagEntity(tag, render.urls)),
})
