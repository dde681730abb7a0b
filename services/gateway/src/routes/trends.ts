import { PAGE_SIZES } from '@rookery/contracts/limits'
import { jsonList, tagEntity, trendingLinkJson } from '@rookery/entities'
import { AppOrUser, Public, PublicUnless } from '../http/access.ts'
import { endpoint, Reply } from '../http/endpoint.ts'
import { form, limit, offset, pageOf, paging, text } from '../http/fields.ts'
import { statusesReply } from './replies.ts'

const tags = (path: string, summary: string) =>
  endpoint({
    method: 'GET',
    path,
    access: Public(),
    summary,
    input: form({ limit: limit(PAGE_SIZES.trends), offset: offset() }),
    handle: async ({ call, input, viewerId }, { trends, render }) => {
      const found = await trends.readTags(call, { viewerId, ...input, forReview: false })
      const entities = found.tags.flatMap(({ tag }) => (tag ? [tagEntity(tag, render.urls)] : []))
      return new Reply(entities, { page: { offset: input.offset, isFull: found.isFull } })
    },
  })

export const readTrendingTags = tags('/api/v1/trends/tags', 'Hashtags that trend, the highest score first.')
export const readTrends = tags('/api/v1/trends', 'Hashtags that trend; deprecated, see trends/tags.')

export const readTrendingLinks = endpoint({
  method: 'GET',
  path: '/api/v1/trends/links',
  access: Public(),
  summary: 'Links that trend, the highest score first.',
  input: form({ limit: limit(PAGE_SIZES.trends), offset: offset() }),
  handle: async ({ call, input, viewerId }, { trends, render }) => {
    const found = await trends.readLinks(call, { viewerId, ...input, forReview: false })
    const links = found.links.flatMap((trend) => trendingLinkJson(trend, render.account) ?? [])
    return new Reply(jsonList(links), { page: { offset: input.offset, isFull: found.isFull } })
  },
})

export const readTrendingStatuses = endpoint({
  method: 'GET',
  path: '/api/v1/trends/statuses',
  access: Public(),
  summary: 'Posts that trend, the highest score first.',
  input: form({ limit: limit(PAGE_SIZES.statuses), offset: offset() }),
  handle: async ({ call, input, viewerId }, { trends, render }) => {
    const found = await trends.readStatuses(call, { viewerId, ...input, forReview: false })
    return new Reply(render.statuses(found), { page: { offset: input.offset, isFull: found.cursors?.isFull ?? false } })
  },
})

export const readLinkTimeline = endpoint({
  method: 'GET',
  path: '/api/v1/timelines/link',
  access: PublicUnless('no public preview', AppOrUser('read:statuses'), 'read:statuses'),
  summary: 'Public posts of discoverable people with a link that trends, newest first.',
  input: form({ ...paging(PAGE_SIZES.statuses), url: text() }),
  handle: async ({ call, input, viewerId }, clients) =>
    statusesReply(await clients.trends.readLinkTimeline(call, { viewerId, url: input.url ?? '', page: pageOf(input) }), clients),
})
