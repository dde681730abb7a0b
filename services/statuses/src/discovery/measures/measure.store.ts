import { countedByDay, MAX_COUNTED, prepared } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { dayOfId, firstIdOn } from '../../database/days.store.ts'

/** A range of days since 1970, the first day of the preceding range it is compared with, and the subject of the measure. */
export type ComparedDays = { previousDay: number; firstDay: number; lastDay: number; subject: string; includesSubdomains: boolean }

/** A condition on ids of statuses: from the first to the last day. */
const idsBetween = (id: string, first: unknown, last: unknown) =>
  sql`${sql.raw(id)} >= ${firstIdOn(sql`${first}::int`)} and ${sql.raw(id)} < ${firstIdOn(sql`(${last}::int + 1)`)}`

const startOf = (day: unknown) => sql`to_timestamp(${day}::float8 * 86400)`
const dayOfMoment = (column: string) => sql`(${sql.raw(column)} at time zone 'UTC')::date - '1970-01-01'::date`
const momentsBetween = (column: string, first: unknown, last: unknown) =>
  sql`${sql.raw(column)} >= ${startOf(first)} and ${sql.raw(column)} < ${startOf(sql`(${last}::int + 1)`)}`

/** Maximum remote accounts per statement, and rows per account. */
const MAX_ACCOUNTS = sql.lit(100_000)
const MAX_OF_ACCOUNT = sql.lit(10_000)

/** The reversed domain, as in the index: subdomains share a prefix. */
const DOMAIN = sql.raw("reverse(split_part(domain, ':', 1))")

/** The accounts of a server. */
const accountsOf = (subject: unknown, includesSubdomains: unknown) => sql`
  select id, created_at from (
    select id, created_at from account where ${DOMAIN} = reverse(${subject}::text) and domain is not null
    union all
    select id, created_at from account where ${includesSubdomains}::boolean and ${DOMAIN} ~>=~ (reverse(${subject}::text) || '.')
      and ${DOMAIN} ~<~ (reverse(${subject}::text) || '/') and domain is not null) of_domain
  limit ${MAX_ACCOUNTS}`

/** The name of the tag with an id. */
const tagNamed = (subject: unknown) => sql`(select name from tag where id = ${subject}::bigint)`

/**
 * The statuses with a tag in a range of days, and their authors. The row comparison makes Postgres use the key: the index on ids alone has all tags.
 */
const tagged = (subject: unknown, first: unknown, last: unknown) => sql`
  select status_id, author_id from status_tag
  where (name, status_id) >= (${tagNamed(subject)}, ${firstIdOn(sql`${first}::int`)})
    and (name, status_id) < (${tagNamed(subject)}, ${firstIdOn(sql`(${last}::int + 1)`)}) and is_open limit ${MAX_COUNTED}`

const domainOfAuthor = sql`cross join lateral (select coalesce(domain, '') "domain" from account where id = t.author_id offset 0) a`

/** Favourites, boosts and replies to others by local people. */
export const countInteractions = prepared('measures.interactions', ({ previousDay, firstDay, lastDay }: ComparedDays) =>
  countedByDay({
    source: sql`
      select day, favourites subject from (
        select day, favourites from favourite_day where day >= ${previousDay} and day <= ${lastDay} order by day limit 10000) f
      union all
      select ${dayOfId('id')}, 1 from (
        select id from status_head where ${idsBetween('id', previousDay, lastDay)} and is_local
          and (reblog_of_id is not null or is_reply_to_other) order by id limit ${MAX_COUNTED}) h`,
    value: sql`sum(subject)`,
    firstDay,
  }),
)

export const countOpenedReports = prepared('measures.opened-reports', ({ previousDay, firstDay, lastDay }: ComparedDays) =>
  countedByDay({
    source: sql`select ${dayOfMoment('created_at')} "day", id subject from report where ${momentsBetween('created_at', previousDay, lastDay)}`,
    firstDay,
  }),
)

export const countResolvedReports = prepared('measures.resolved-reports', ({ previousDay, firstDay, lastDay }: ComparedDays) =>
  countedByDay({
    source: sql`select ${dayOfMoment('action_taken_at')} "day", id subject from report
      where ${momentsBetween('action_taken_at', previousDay, lastDay)} and action_taken_at is not null`,
    firstDay,
  }),
)

export const countTagUses = prepared('measures.tag-uses', ({ previousDay, firstDay, lastDay, subject }: ComparedDays) =>
  countedByDay({
    source: sql`select ${dayOfId('status_id')} "day", author_id subject from (${tagged(subject, previousDay, lastDay)}) t`,
    firstDay,
  }),
)

export const countTagAccounts = prepared('measures.tag-accounts', ({ previousDay, firstDay, lastDay, subject }: ComparedDays) =>
  countedByDay({
    source: sql`select ${dayOfId('status_id')} "day", author_id subject from (${tagged(subject, previousDay, lastDay)}) t`,
    value: sql`count(distinct subject)`,
    firstDay,
  }),
)

export const countTagServers = prepared('measures.tag-servers', ({ previousDay, firstDay, lastDay, subject }: ComparedDays) =>
  countedByDay({
    source: sql`select ${dayOfId('status_id')} "day", a.domain subject from (${tagged(subject, previousDay, lastDay)}) t ${domainOfAuthor}`,
    value: sql`count(distinct subject)`,
    firstDay,
  }),
)

/** A measure of another server, of all time up to the last day. */
const ofServer = (name: string, read: (given: ComparedDays) => RawBuilder<unknown>) =>
  prepared(`measures.${name}`, (given: ComparedDays) =>
    countedByDay({
      source: sql`select day, subject from (
        select ${sql.raw('happened.day')} "day", happened.subject from (${accountsOf(given.subject, given.includesSubdomains)}) o
        cross join lateral (${read(given)} limit ${MAX_OF_ACCOUNT}) happened) all_time where day <= ${given.lastDay}`,
      firstDay: given.firstDay,
    }),
  )

export const countServerAccounts = ofServer('instance-accounts', () => sql`select ${dayOfMoment('o.created_at')} "day", o.id subject`)

export const countServerStatuses = ofServer(
  'instance-statuses',
  () => sql`select ${dayOfId('id')} "day", id subject from status_head where author_id = o.id and reblog_of_id is null order by id desc`,
)

/** Follows of its accounts by local people. */
export const countServerFollows = ofServer(
  'instance-follows',
  () => sql`select ${dayOfMoment('created_at')} "day", account_id subject from follow where target_id = o.id and is_local`,
)

/** Follows by its accounts. */
export const countServerFollowers = ofServer(
  'instance-followers',
  () => sql`select ${dayOfMoment('created_at')} "day", target_id subject from follow where account_id = o.id`,
)

/** Reports about its accounts. */
export const countServerReports = ofServer(
  'instance-reports',
  () => sql`select ${dayOfMoment('created_at')} "day", id subject from report where target_id = o.id`,
)

/** A range of days, the subject of a dimension, and the maximum of rows. */
export type DimensionDays = { firstDay: number; lastDay: number; limit: number; subject: string; includesSubdomains: boolean }

/** A part of a whole. The empty key is this server. */
export type Part = { key: string; value: number }

const ranked = (source: RawBuilder<unknown>, limit: unknown) => sql<Part>`
  select key, count(*)::float8 "value" from (${source}) part group by key order by 2 desc, 1 limit ${limit}`

/** Statuses by the server of their author. */
export const countServers = prepared(
  'measures.servers',
  ({ firstDay, lastDay, limit }: DimensionDays) => sql<Part>`
    select a.domain key, sum(t.statuses)::float8 "value" from (
      select author_id, count(*) statuses from (
        select author_id from status_head where ${idsBetween('id', firstDay, lastDay)} limit ${MAX_COUNTED}) h
      group by author_id) t ${domainOfAuthor}
    group by 1 order by 2 desc, 1 limit ${limit}`,
)

export const countTagServerParts = prepared('measures.tag-server-parts', ({ firstDay, lastDay, limit, subject }: DimensionDays) =>
  ranked(sql`select a.domain key from (${tagged(subject, firstDay, lastDay)}) t ${domainOfAuthor}`, limit),
)

const languageOf = (id: string) =>
  sql`cross join lateral (select coalesce(language, 'und') "language" from status where id = ${sql.raw(id)} offset 0) s`

export const countTagLanguages = prepared('measures.tag-languages', ({ firstDay, lastDay, limit, subject }: DimensionDays) =>
  ranked(sql`select s.language key from (${tagged(subject, firstDay, lastDay)}) t ${languageOf('t.status_id')}`, limit),
)

export const countServerLanguages = prepared(
  'measures.instance-languages',
  ({ firstDay, lastDay, limit, subject, includesSubdomains }: DimensionDays) =>
    ranked(
      sql`select s.language key from (
        select h.id from (${accountsOf(subject, includesSubdomains)}) o cross join lateral (
          select id from status_head where author_id = o.id and ${idsBetween('id', firstDay, lastDay)} and reblog_of_id is null
          order by id desc limit ${MAX_OF_ACCOUNT}) h limit ${MAX_COUNTED}) t ${languageOf('t.id')}`,
      limit,
    ),
)

/** Its accounts, by the number of local followers. */
export const countServerPeople = prepared(
  'measures.instance-people',
  ({ limit, subject, includesSubdomains }: DimensionDays) => sql<Part>`
    select a.username key, o.value from (
      select o.id, f.value from (${accountsOf(subject, includesSubdomains)}) o cross join lateral (
        select count(*)::float8 "value" from (select 1 from follow where target_id = o.id and is_local limit ${MAX_OF_ACCOUNT}) followed) f
      order by 2 desc, 1 limit ${limit}) o
    cross join lateral (select username from account where id = o.id offset 0) a order by 2 desc, 1`,
)
