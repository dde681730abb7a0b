import { PAGE_SIZES } from '@rookery/contracts/limits'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import { adminTagEntity, adminTrendingLinkJson, adminTrendingStatusJson, jsonList, publisherEntity } from '@rookery/entities'
import { orNotFound } from '@rookery/failures'
import { Staff } from '../http/access.ts'
import { endpoint, Reply, STATUS_LIST } from '../http/endpoint.ts'
import { form, limit, offset, pageOf, paging } from '../http/fields.ts'
import { recordId, statusReply } from './replies.ts'

const PATH = '/api/v1/admin/trends'
const reading = Staff(PERMISSIONS.manageTaxonomies, 'admin:read')
const writing = Staff(PERMISSIONS.manageTaxonomies, 'admin:write')

/** The two decisions, each with its own endpoint. */
const DECISIONS = { approve: true, reject: false } as const
type Decision = keyof typeof DECISIONS

export const listAdminTrendingTags = endpoint({
  method: 'GET',
  path: `${PATH}/tags`,
  access: reading,
  summary: 'Hashtags that trend, also those that await review or were rejected.',
  input: form({ limit: limit(PAGE_SIZES.trends), offset: offset() }),
  handle: async ({ call, input, viewerId }, { trends, render }) => {
    const { tags, isFull } = await trends.readTags(call, { viewerId, ...input, forReview: true })
    return new Reply(
      tags.flatMap((trend) => adminTagEntity(trend, render.urls) ?? []),
      { page: { offset: input.offset, isFull } },
    )
  },
})

const reviewTag = (decision: Decision, summary: string) =>
  endpoint({
    method: 'POST',
    path: `${PATH}/tags/:id/${decision}`,
    access: writing,
    summary,
    handle: async ({ call, params, viewerId }, { trends, render }) => {
      const request = { id: recordId(params), isApproved: DECISIONS[decision], viewerId }
      return orNotFound(adminTagEntity(await trends.reviewTag(call, request), render.urls))
    },
  })

export const approveTrendingTag = reviewTag('approve', 'Approves a hashtag: it may trend.')
export const rejectTrendingTag = reviewTag('reject', 'Rejects a hashtag: it never trends.')

export const listAdminTrendingLinks = endpoint({
  method: 'GET',
  path: `${PATH}/links`,
  access: reading,
  summary: 'Links that trend, also those that await review or were rejected.',
  input: form({ limit: limit(PAGE_SIZES.trends), offset: offset() }),
  handle: async ({ call, input, viewerId }, { trends, render }) => {
    const { links, isFull } = await trends.readLinks(call, { viewerId, ...input, forReview: true })
    const found = links.flatMap((trend) => adminTrendingLinkJson(trend, render.account) ?? [])
    return new Reply(jsonList(found), { page: { offset: input.offset, isFull } })
  },
})

const reviewLink = (decision: Decision, summary: string) =>
  endpoint({
    method: 'POST',
    path: `${PATH}/links/:id/${decision}`,
    access: writing,
    summary,
    handle: async ({ call, params, viewerId }, { trends, render }) => {
      const request = { id: recordId(params), isApproved: DECISIONS[decision], viewerId }
      return new Reply(orNotFound(adminTrendingLinkJson(await trends.reviewLink(call, request), render.account)))
    },
  })

export const approveTrendingLink = reviewLink('approve', 'Approves a link: it may trend.')
export const rejectTrendingLink = reviewLink('reject', 'Rejects a link: it never trends.')

export const listAdminPublishers = endpoint({
  method: 'GET',
  path: `${PATH}/links/publishers`,
  access: reading,
  summary: 'Sites of links that trended, latest first, with what staff decided about them.',
  input: form(paging(PAGE_SIZES.staff)),
  handle: async ({ call, input }, { trends }) => {
    const { publishers, cursors } = await trends.listPublishers(call, { page: pageOf(input) })
    return new Reply(publishers.map(publisherEntity), { page: { cursors, style: STATUS_LIST } })
  },
})

const reviewPublisher = (decision: Decision, summary: string) =>
  endpoint({
    method: 'POST',
    path: `${PATH}/links/publishers/:id/${decision}`,
    access: writing,
    summary,
    handle: async ({ call, params, viewerId }, { trends }) =>
      publisherEntity(await trends.reviewPublisher(call, { id: recordId(params), isApproved: DECISIONS[decision], viewerId })),
  })

export const approvePublisher = reviewPublisher('approve', 'Approves a site: links to it may trend, those that were rejected aside.')
export const rejectPublisher = reviewPublisher('reject', 'Rejects a site: links to it never trend, those that were approved aside.')

export const listAdminTrendingStatuses = endpoint({
  method: 'GET',
  path: `${PATH}/statuses`,
  access: reading,
  summary: 'Posts that trend, also those that await review or were rejected.',
  input: form({ limit: limit(PAGE_SIZES.statuses), offset: offset() }),
  handle: async ({ call, input, viewerId }, { trends, render }) => {
    const found = await trends.readStatuses(call, { viewerId, ...input, forReview: true })
    const undecided = new Set((await trends.findUndecidedStatuses(call, { ids: found.items.map(({ id }) => id) })).ids)
    const shown = [...render.statusesById(found)].map(([id, status]) => adminTrendingStatusJson(status, undecided.has(id)))
    return new Reply(jsonList(shown), { page: { offset: input.offset, isFull: found.cursors?.isFull ?? false } })
  },
})

const reviewStatus = (decision: Decision, summary: string) =>
  endpoint({
    method: 'POST',
    path: `${PATH}/statuses/:id/${decision}`,
    access: writing,
    summary,
    handle: async ({ call, params, viewerId }, clients) => {
      const request = { id: recordId(params), isApproved: DECISIONS[decision], viewerId }
      return adminTrendingStatusJson(statusReply(await clients.trends.reviewStatus(call, request), clients), false)
    },
  })

export const approveTrendingStatus = reviewStatus('approve', 'Approves a post: it may trend.')
export const rejectTrendingStatus = reviewStatus('reject', 'Rejects a post: it never trends.')
