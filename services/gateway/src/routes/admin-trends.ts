import { PAGE_SIZES } from '@rookery/contracts/limits'
import { PERMISSIONS } from '@rookery/contracts/permissions'
import { adminTagEntity, adminTrendingLinkEntity } from '@rookery/entities'
import { orNotFound } from '@rookery/failures'
import { Staff } from '../http/access.ts'
import { endpoint, Reply } from '../http/endpoint.ts'
import { form, limit, offset } from '../http/fields.ts'
import { recordId, statusReply } from './replies.ts'

const PATH = '/api/v1/admin/trends'
const reading = Staff(PERMISSIONS.manageTaxonomies, 'admin:read')
const writing = Staff(PERMISSIONS.manageTaxonomies, 'admin:write')

/** The two decisions, each an endpoint of its own. */
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
  handle: async ({ call, input, viewerId }, { trends }) => {
    const { links, isFull } = await trends.readLinks(call, { viewerId, ...input, forReview: true })
    return new Reply(
      links.flatMap((trend) => adminTrendingLinkEntity(trend) ?? []),
      { page: { offset: input.offset, isFull } },
    )
  },
})

const reviewLink = (decision: Decision, summary: string) =>
  endpoint({
    method: 'POST',
    path: `${PATH}/links/:id/${decision}`,
    access: writing,
    summary,
    handle: async ({ call, params, viewerId }, { trends }) => {
      const request = { id: recordId(params), isApproved: DECISIONS[decision], viewerId }
      return orNotFound(adminTrendingLinkEntity(await trends.reviewLink(call, request)))
    },
  })

export const approveTrendingLink = reviewLink('approve', 'Approves a link: it may trend.')
export const rejectTrendingLink = reviewLink('reject', 'Rejects a link: it never trends.')

export const listAdminTrendingStatuses = endpoint({
  method: 'GET',
  path: `${PATH}/statuses`,
  access: reading,
  summary: 'Posts that trend, also those that await review or were rejected.',
  input: form({ limit: limit(PAGE_SIZES.statuses), offset: offset() }),
  handle: async ({ call, input, viewerId }, { trends, render }) => {
    const found = await trends.readStatuses(call, { viewerId, ...input, forReview: true })
    return new Reply(render.statuses(found), { page: { offset: input.offset, isFull: found.cursors?.isFull ?? false } })
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
      return statusReply(await clients.trends.reviewStatus(call, request), clients)
    },
  })

export const approveTrendingStatus = reviewStatus('approve', 'Approves a post: it may trend.')
export const rejectTrendingStatus = reviewStatus('reject', 'Rejects a post: it never trends.')
