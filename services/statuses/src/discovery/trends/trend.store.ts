import { firstRows, prepared, preparedPage } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import type { StoredCard } from '../../database/tables/card.ts'
import type { UsedKind } from '../../database/tables/trend.ts'
import { publisherOf } from './publisher.store.ts'
import type { Used } from './use.store.ts'

/** Which trends a page shows: approved ones, those not rejected, or all. */
export type Shown = 'approved' | 'not rejected' | 'all'

/** A condition on the decision about a trend. */
type Condition = (decision: RawBuilder<unknown>) => RawBuilder<unknown>

/** A statement for each value of Shown. */
export const byShown = <Statement>(make: (isShown: Condition, name: string) => Statement): Record<Shown, Statement> => ({
  approved: make((decision) => decision, 'approved'),
  'not rejected': make((decision) => sql`${decision} is not false`, 'not-rejected'),
  all: make(() => sql`true`, 'all'),
})

/** A page of trends with a minimum rank. */
export type TrendPage = { floor: number; limit: number; offset: number }

export type TagTrendRow = { id: string; name: string; display: string; isApproved: boolean | null; isUsable: boolean; isListable: boolean }

/** Tags that staff hid from searches and trends are shown only to staff. */
const LISTABLE: Record<string, RawBuilder<unknown>> = { all: sql`true` }

/** Trending tags, highest first. */
export const readTagTrends = byShown((isShown, name) =>
  prepared(
    `trends.tags-${name}`,
    ({ floor, limit, offset }: TrendPage) => sql<TagTrendRow>`
      ${firstRows(
        sql<TagTrendRow>`select g.id, t.key name, g.display, t.is_approved, g.is_usable, g.is_listable from trend t
          cross join lateral (select id, display, is_usable, is_listable from tag where name = t.key offset 0) g
          where t.kind = 'tag' and t.rank > ${floor} and ${isShown(sql`t.is_approved`)} and ${LISTABLE[name] ?? sql`g.is_listable`} order by t.rank desc`,
        limit,
      )} offset ${offset}`,
  ),
)

export type LinkTrendRow = { id: string; digest: string; url: string; card: StoredCard; isApproved: boolean | null }

/** Joins a page and the decision about its publisher, by the page's digest. LINK_DECISION prefers a decision about the link, by the alias t. */
export const LINKED_PAGE = (digest: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  cross join lateral (select url, card from preview_card where digest = ${digest} offset 0) p
  left join lateral (select is_approved from publisher where domain = ${publisherOf(sql`p.url`)} offset 0) b on true`
export const LINK_DECISION = sql`coalesce(t.is_approved, b.is_approved)`

const LINK = sql`t.id, t.key digest, p.url, p.card, ${LINK_DECISION} is_approved`

/** Trending links to pages with a card, highest first. */
export const readLinkTrends = byShown((isShown, name) =>
  prepared(
    `trends.links-${name}`,
    ({ floor, limit, offset }: TrendPage) => sql<LinkTrendRow>`
      ${firstRows(
        sql<LinkTrendRow>`select ${LINK} from trend t ${LINKED_PAGE(sql`t.key`)}
          where t.kind = 'link' and t.rank > ${floor} and ${isShown(LINK_DECISION)} and p.card is not null order by t.rank desc`,
        limit,
      )} offset ${offset}`,
  ),
)

/** The link with an id, if its page has a card. */
export const readLinkTrend = prepared(
  'trends.link',
  ({ id }: { id: string }) => sql<LinkTrendRow>`
    select ${LINK} from trend t ${LINKED_PAGE(sql`t.key`)} where t.id = ${id} and t.kind = 'link' and p.card is not null`,
)

const TAG = sql`g.id, g.name, g.display, g.is_usable, g.is_listable, t.is_approved`
const DECISION = sql`left join lateral (select is_approved from trend where kind = 'tag' and key = g.name offset 0) t on true`

/** The tag with an id, whether it trends or not. */
export const readTagById = prepared(
  'trends.tag-by-id',
  ({ id }: { id: string }) => sql<TagTrendRow>`
    select ${TAG} from (select id, name, display, is_usable, is_listable from tag where id = ${id} offset 0) g ${DECISION}`,
)

/** All tags, latest first; a page by min_id comes oldest first. */
export const readTagPage = preparedPage(
  'trends.tag-page',
  (_, { order, below, above, limit }) => sql<TagTrendRow>`
    select ${TAG} from (
      select id, name, display, is_usable, is_listable from tag where id < ${below} and id > ${above}
      order by id ${sql.raw(order)} limit ${limit}) g ${DECISION} order by g.id ${sql.raw(order)}`,
)

/** Changes a tag; null leaves a column unchanged. */
export const changeTagRow = prepared(
  'trends.change-tag',
  ({
    id,
    display,
    isUsable,
    isListable,
  }: {
    id: string
    display: string | null
    isUsable: boolean | null
    isListable: boolean | null
  }) => sql<{
    name: string
  }>`
    update tag set display = coalesce(${display}::text, display), is_usable = coalesce(${isUsable}::boolean, is_usable),
      is_listable = coalesce(${isListable}::boolean, is_listable)
    where id = ${id} returning name`,
)

/** Stores a decision about a known tag or link; no row if it is unknown. */
export const reviewUsed = prepared(
  'trends.review',
  ({ kind, key, isApproved }: Used & { isApproved: boolean }) => sql<Used>`
    insert into trend (kind, key, is_approved)
    select ${kind}::text, ${key}::text, ${isApproved}::boolean where case ${kind}::text
      when 'tag' then exists (select 1 from tag where name = ${key}) else exists (select 1 from preview_card where digest = ${key}) end
    on conflict (kind, key) do update set is_approved = excluded.is_approved returning kind, key`,
)

/** The inputs of the next peak of a tag or link; accounts by day. */
export type StoredPeak = { kind: UsedKind; key: string; peak: number | null; peakedAt: Date | null; days: Record<string, number> | null }

/** The peaks of tags and links, and their numbers of accounts by day. */
export const readPeaks = prepared(
  'trends.count-peaks',
  ({ kinds, keys }: { kinds: readonly string[]; keys: readonly string[] }) => sql<StoredPeak>`
    select u.kind, u.key, t.peak, t.peaked_at, d.days from unnest(${kinds}::text[], ${keys}::text[]) u (kind, key)
    cross join lateral (select json_object_agg(day, accounts) days from trend_day where kind = u.kind and key = u.key) d
    left join lateral (select peak, peaked_at from trend where kind = u.kind and key = u.key offset 0) t on true`,
)

/** A peak with its rank; null and -Infinity if the trend ended. */
export type RankedPeak = Used & { peak: number | null; peakedAt: Date | null; rank: number }

/** Replaces peaks; each array has one value per tag or link. */
export const writePeaks = prepared(
  'trends.write-peaks',
  (given: { [Column in keyof RankedPeak]: readonly RankedPeak[Column][] }) => sql<never>`
    insert into trend (kind, key, peak, peaked_at, rank)
    select kind, key, peak, peaked_at, rank from unnest(${given.kind}::text[], ${given.key}::text[], ${given.peak}::float8[],
      ${given.peakedAt}::timestamptz[], ${given.rank}::float8[]) as ranked (kind, key, peak, peaked_at, rank)
    order by kind, key
    on conflict (kind, key) do update set peak = excluded.peak, peaked_at = excluded.peaked_at, rank = excluded.rank`,
)

/** Deletes some of the tags or links that no longer trend and were never reviewed; returns them. */
export const forgetTrends = prepared(
  'trends.forget',
  ({ kind, floor, limit }: { kind: string; floor: number; limit: number }) => sql<{ key: string }>`
    delete from trend where kind = ${kind} and key = any(array(
      select key from trend where kind = ${kind} and rank < ${floor} and is_approved is null
      order by rank desc limit ${limit} for update skip locked))
    returning key`,
)
