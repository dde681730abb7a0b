import { tagEntity } from '@rookery/entities'
import { Public } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'

export const readTagUse = endpoint({
  method: 'GET',
  path: '/api/v1/tags/:name',
  access: Public(),
  summary: 'A hashtag and how it was used in public within the past week.',
  handle: async ({ call, params }, { search, render }) =>
    tagEntity(await search.readTag(call, { name: params['name'] ?? '' }), render.urls),
})
