import { jsonList } from '@rookery/entities'
import { User } from '../http/access.ts'
import { ACCOUNT_LIST, endpoint, Reply, STATUS_LIST } from '../http/endpoint.ts'
import { form, pageOf, paging } from '../http/fields.ts'
import { accountsReply, statusesReply } from './replies.ts'

const ACCOUNTS = { standard: 40, most: 80 }
const STATUSES = { standard: 20, most: 40 }

export const readFollowRequests = endpoint({
  method: 'GET',
  path: '/api/v1/follow_requests',
  access: User('read:follows'),
  summary: 'Who asks to follow the viewer.',
  input: form(paging(ACCOUNTS)),
  handle: async ({ call, input, viewerId }, clients) =>
    accountsReply(await clients.graph.readFollowRequests(call, { accountId: viewerId, viewerId, page: pageOf(input) }), clients),
})

export const readBlocks = endpoint({
  method: 'GET',
  path: '/api/v1/blocks',
  access: User('read:blocks'),
  summary: 'Whom the viewer blocks.',
  input: form(paging(ACCOUNTS)),
  handle: async ({ call, input, viewerId }, clients) =>
    accountsReply(await clients.graph.readBlocks(call, { accountId: viewerId, viewerId, page: pageOf(input) }), clients),
})

export const readMutes = endpoint({
  method: 'GET',
  path: '/api/v1/mutes',
  access: User('read:mutes'),
  summary: 'Whom the viewer mutes, and until when.',
  input: form(paging(ACCOUNTS)),
  handle: async ({ call, input, viewerId }, { graph, render }) => {
    const { page, expiresAtSeconds } = await graph.readMutes(call, { accountId: viewerId, viewerId, page: pageOf(input) })
    const accounts = (page?.accounts ?? []).map((view, index) => {
      const seconds = expiresAtSeconds[index]
      const expiry = seconds ? `"${new Date(seconds * 1000).toISOString()}"` : 'null'
      return Buffer.concat([render.account(view).subarray(0, -1), Buffer.from(`,"mute_expires_at":${expiry}}`)])
    })
    return new Reply(jsonList(accounts), { page: { cursors: page?.cursors, style: ACCOUNT_LIST } })
  },
})

export const readFavourites = endpoint({
  method: 'GET',
  path: '/api/v1/favourites',
  access: User('read:favourites'),
  summary: 'What the viewer favourited, latest first.',
  input: form(paging(STATUSES)),
  handle: async ({ call, input, viewerId }, clients) =>
    statusesReply(await clients.interactions.readFavourites(call, { viewerId, page: pageOf(input) }), clients, STATUS_LIST),
})

export const readBookmarks = endpoint({
  method: 'GET',
  path: '/api/v1/bookmarks',
  access: User('read:bookmarks'),
  summary: 'What the viewer bookmarked, latest first.',
  input: form(paging(STATUSES)),
  handle: async ({ call, input, viewerId }, clients) =>
    statusesReply(await clients.interactions.readBookmarks(call, { viewerId, page: pageOf(input) }), clients, STATUS_LIST),
})
