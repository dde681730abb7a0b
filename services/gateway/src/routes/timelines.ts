import { BATCHES, PAGE_SIZES } from '@rookery/contracts/limits'
import { AppOrUser, PublicUnless, User } from '../http/access.ts'
import { endpoint } from '../http/endpoint.ts'
import { flag, form, pageOf, paging, textList } from '../http/fields.ts'
import { recordId, statusesReply } from './replies.ts'

export const readHome = endpoint({
  method: 'GET',
  path: '/api/v1/timelines/home',
  access: User('read:statuses'),
  summary: 'The home timeline, newest first.',
  input: form(paging(PAGE_SIZES.statuses)),
  handle: async ({ call, input, viewerId }, clients) =>
    statusesReply(await clients.timelines.readHome(call, { viewerId, page: pageOf(input) }), clients),
})

export const readList = endpoint({
  method: 'GET',
  path: '/api/v1/timelines/list/:list_id',
  access: User('read:lists'),
  summary: 'A list’s timeline, newest first.',
  input: form(paging(PAGE_SIZES.statuses)),
  handle: async ({ call, params, input, viewerId }, clients) => {
    const request = { viewerId, listId: recordId(params, 'list_id'), page: pageOf(input) }
    return statusesReply(await clients.timelines.readList(call, request), clients)
  },
})

export const readPublic = endpoint({
  method: 'GET',
  path: '/api/v1/timelines/public',
  access: PublicUnless('no public preview', AppOrUser('read:statuses'), 'read:statuses'),
  summary: 'Public posts, newest first.',
  input: form({ ...paging(PAGE_SIZES.statuses), local: flag(), remote: flag(), only_media: flag() }),
  handle: async ({ call, input, viewerId }, clients) => {
    const request = { viewerId, local: input.local, remote: input.remote, onlyMedia: input.only_media, page: pageOf(input) }
    return statusesReply(await clients.timelines.readPublic(call, request), clients)
  },
})

export const readTag = endpoint({
  method: 'GET',
  path: '/api/v1/timelines/tag/:hashtag',
  access: PublicUnless('no public preview', AppOrUser('read:statuses'), 'read:statuses'),
  summary: 'Public posts with a hashtag, newest first.',
  input: form({
    ...paging(PAGE_SIZES.statuses),
    any: textList(),
    all: textList(),
    none: textList(),
    local: flag(),
    remote: flag(),
    only_media: flag(),
  }),
  handle: async ({ call, params, input, viewerId }, clients) => {
    const page = await clients.timelines.readTag(call, {
      viewerId,
      name: params['hashtag'] ?? '',
      any: input.any.slice(0, BATCHES.tagsOfTimeline),
      all: input.all.slice(0, BATCHES.tagsOfTimeline),
      none: input.none.slice(0, BATCHES.tagsOfTimeline),
      local: input.local,
      remote: input.remote,
      onlyMedia: input.only_media,
      page: pageOf(input),
    })
    return statusesReply(page, clients)
  },
})
