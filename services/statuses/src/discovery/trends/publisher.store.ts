import { prepared, preparedPage } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'

/** The host of a URL, without `www.`: its publisher. */
export const publisherOf = (url: RawBuilder<unknown>): RawBuilder<string> =>
  sql`substring(${url} from '^https?://(?:[^/?#@]*@)?(?:www[.])?([[][^]]+[]]|[^/?#:]+)')`

export type PublisherRow = { id: string; domain: string; requestedAt: Date; isApproved: boolean | null; reviewedAt: Date | null }

const PUBLISHER = sql`id, domain, requested_at, is_approved, reviewed_at`

/** Maximum characters of a DNS name (RFC 1035, 2.3.4). A longer one is no publisher, and may exceed the limit of an index. */
const MAX_DOMAIN = sql.lit(253)

/** Adds the publishers of links that begin to trend; known ones are unchanged. */
export const notePublishers = prepared(
  'publishers.note',
  ({ digests, now }: { digests: readonly string[]; now: Date }) => sql<never>`
    insert into publisher (domain, requested_at)
    select distinct ${publisherOf(sql`p.url`)}, ${now}::timestamptz from unnest(${digests}::text[]) wanted (digest)
    cross join lateral (select url from preview_card where digest = wanted.digest offset 0) p
    where length(${publisherOf(sql`p.url`)}) <= ${MAX_DOMAIN} order by 1
    on conflict (domain) do nothing`,
)

/** All publishers, latest first; a page by min_id comes oldest first. */
export const readPublisherPage = preparedPage(
  'publishers.page',
  (_, { order, below, above, limit }) => sql<PublisherRow>`
    select ${PUBLISHER} from publisher where id < ${below} and id > ${above} order by id ${sql.raw(order)} limit ${limit}`,
)

type Review = { isApproved: boolean; now: Date }

/** Repeating a decision keeps the time of the first. */
const decided = ({ isApproved, now }: Review, which: RawBuilder<unknown>) => sql<PublisherRow>`
  update publisher set is_approved = ${isApproved},
    reviewed_at = case when is_approved is not distinct from ${isApproved}::boolean then reviewed_at else ${now}::timestamptz end
  where ${which} returning ${PUBLISHER}`

/** Stores a decision about the publisher with an id. */
export const reviewPublisherById = prepared('publishers.review', ({ id, isApproved, now }: Review & { id: string }) =>
  decided({ isApproved, now }, sql`id = ${id}`),
)

/** Stores a decision about the publisher of a domain. */
export const reviewPublisherByDomain = prepared('publishers.review-domain', ({ domain, isApproved, now }: Review & { domain: string }) =>
  decided({ isApproved, now }, sql`domain = ${domain}`),
)
