import { type Html, html } from '@rookery/pages'
import type { Endpoint } from '../../http/endpoint.ts'
import { api } from '../api.ts'
import type { Status } from '../entities.ts'
import type { AdminPage } from '../page.ts'
import { actPart, filtered, numberOf, pagerPart, type RecordParts, recordsPart } from '../parts.ts'
import { filesOfPost, postRecord } from '../posts.ts'
import type { Texts } from '../texts/index.ts'
import { ask, type Visit } from '../visit.ts'

type Day = { uses: string; accounts: string }
type Tag = { id: string; name: string; url: string; history: Day[]; trendable: boolean; requires_review: boolean }
type Publisher = { id: string; domain: string; trendable: boolean | null; requires_review: boolean }
type Post = Status & { requires_review: boolean }
type Link = { id: string; url: string; title: string; provider_name: string; history: Day[]; requires_review: boolean }

const PAGE = 20

const sum = (history: readonly Day[], name: keyof Day) => history.reduce((total, day) => total + Number(day[name]), 0)

const useOf = (visit: Visit, history: readonly Day[]) =>
  visit.texts.trends.use(numberOf(visit, sum(history, 'uses')), numberOf(visit, sum(history, 'accounts')))

const review = (visit: Visit, { id }: { id: string }): Html[] => [
  actPart(visit, { form: 'approve', label: visit.texts.trends.approve, values: { id } }),
  actPart(visit, { form: 'reject', label: visit.texts.trends.reject, values: { id } }),
]

type TrendsPage<Entity extends { id: string }> = {
  path: string
  tab: keyof Texts['tabs']
  isFirst?: boolean
  lead?: 'lead' | 'publishersLead'
  list: Endpoint
  approve: Endpoint
  reject: Endpoint
  record: (entity: Entity, visit: Visit) => RecordParts
  files?: (entity: Entity) => string[]
}

/** A page of trends, with buttons to approve or reject each. */
const trendsPage = <Entity extends { id: string }>(given: TrendsPage<Entity>): AdminPage => ({
  path: given.path,
  section: 'trends',
  tab: given.tab,
  ...(given.isFirst && { isFirst: true }),
  access: given.list.access,
  async read(visit) {
    const { texts } = visit
    const { body, page } = await ask(visit, given.list, { ...filtered(visit, []), limit: String(PAGE) })
    const entities = body as Entity[]
    const records = entities.map((entity) => ({ ...given.record(entity, visit), acts: review(visit, entity) }))
    return {
      title: texts.tabs[given.tab],
      lead: texts.trends[given.lead ?? 'lead'],
      body: html`${recordsPart(records, texts.trends.none)}${pagerPart(visit, page, PAGE)}`,
      files: entities.flatMap((entity) => given.files?.(entity) ?? []),
    }
  },
  forms: {
    approve: { endpoint: given.approve, done: 'trendApproved' },
    reject: { endpoint: given.reject, done: 'trendRejected' },
  },
})

/** GET /admin/trends: hashtags. */
export const trendingTagsPage = trendsPage<Tag>({
  path: '/admin/trends',
  tab: 'tags',
  isFirst: true,
  list: api('GET /api/v1/admin/trends/tags'),
  approve: api('POST /api/v1/admin/trends/tags/:id/approve'),
  reject: api('POST /api/v1/admin/trends/tags/:id/reject'),
  record: ({ name, url, history, requires_review: isUndecided, trendable }, visit) => ({
    title: `#${name}`,
    href: url,
    marks: [isUndecided ? visit.texts.trends.undecided : !trendable && visit.texts.trends.rejected],
    facts: [useOf(visit, history)],
  }),
})

/** GET /admin/trends/links. */
export const trendingLinksPage = trendsPage<Link>({
  path: '/admin/trends/links',
  tab: 'links',
  list: api('GET /api/v1/admin/trends/links'),
  approve: api('POST /api/v1/admin/trends/links/:id/approve'),
  reject: api('POST /api/v1/admin/trends/links/:id/reject'),
  record: ({ title, url, provider_name: provider, history, requires_review: isUndecided }, visit) => ({
    title: title || url,
    href: /^https?:\/\//.test(url) ? url : undefined,
    marks: [isUndecided && visit.texts.trends.undecided],
    facts: [provider, url, useOf(visit, history)],
  }),
})

/** GET /admin/trends/publishers. */
export const publishersPage = trendsPage<Publisher>({
  path: '/admin/trends/publishers',
  tab: 'publishers',
  lead: 'publishersLead',
  list: api('GET /api/v1/admin/trends/links/publishers'),
  approve: api('POST /api/v1/admin/trends/links/publishers/:id/approve'),
  reject: api('POST /api/v1/admin/trends/links/publishers/:id/reject'),
  record: ({ domain, trendable, requires_review: isUndecided }, { texts }) => ({
    title: domain,
    marks: [
      isUndecided && texts.trends.undecided,
      trendable === true && texts.trends.approved,
      trendable === false && texts.trends.rejected,
    ],
  }),
})

/** GET /admin/trends/posts. */
export const trendingPostsPage = trendsPage<Post>({
  path: '/admin/trends/posts',
  tab: 'posts',
  list: api('GET /api/v1/admin/trends/statuses'),
  approve: api('POST /api/v1/admin/trends/statuses/:id/approve'),
  reject: api('POST /api/v1/admin/trends/statuses/:id/reject'),
  record: (post, visit) => {
    const { marks = [], ...record } = postRecord(post, visit)
    return { ...record, marks: [post.requires_review && visit.texts.trends.undecided, ...marks] }
  },
  files: filesOfPost,
})
