import { QuoteState } from '@rookery/contracts/statuses'
import { arrayLiteral, type Prepared, prepared, type Source } from '@rookery/database'
import { type RawBuilder, sql } from 'kysely'
import { isNotDirectStatus, isOpenStatus, isPublicStatus } from '../../audience/index.ts'
import { ACCOUNT_COLUMNS, type AccountRow } from '../../views/index.ts'

/** The parameters of an insert: a status, and its events. */
export type NewStatus = {
  id: string
  /** As url, null for local statuses. */
  uri: string | null
  url: string | null
  isLocal: boolean
  isFetched: boolean
  authorId: string
  visibility: number
  isListed: boolean
  isReplyToOther: boolean
  hasMedia: boolean
  text: string
  spoilerText: string
  sensitive: boolean
  language: string | null
  content: string
  inReplyToId: string | null
  inReplyToAccountId: string | null
  quotePolicy: number
  /** Null if there is no quote. */
  quotedId: string | null
  /** Numbers of QuoteState; accepted quotes are counted. */
  quoteState: number
  quoteAuthorizationUri: string | null
  createdAt: Date
  /** Null if it was not edited; remote statuses may be edited before they arrive. */
  editedAt: Date | null
  applicationName: string | null
  applicationWebsite: string | null
  /** Mentions, attachments and emojis as JSON. */
  mentions: string
  attachments: string
  emojis: string
  mentionedIds: readonly string[]
  /** The names of the tags, and their spellings here. */
  tags: readonly string[]
  displays: readonly string[]
  /** One of each per event. */
  topics: readonly string[]
  keys: readonly string[]
  envelopes: readonly Buffer[]
  pollExpiresAt: Date | null
  isMultiple: boolean
  hidesTotals: boolean
  pollOptions: readonly string[]
  pollVotes: readonly number[]
  pollVoters: number
  /** Whether to fail if the author has published a higher id (`isOvertaken`). */
  isOrdered: boolean
}

/** The Postgres types of the parameters; lists are text, because statuses that share a statement have one list each. */
const TYPES = {
  id: 'bigint',
  uri: 'text',
  url: 'text',
  isLocal: 'boolean',
  isFetched: 'boolean',
  authorId: 'bigint',
  visibility: 'smallint',
  isListed: 'boolean',
  isReplyToOther: 'boolean',
  hasMedia: 'boolean',
  text: 'text',
  spoilerText: 'text',
  sensitive: 'boolean',
  language: 'text',
  content: 'text',
  inReplyToId: 'bigint',
  inReplyToAccountId: 'bigint',
  quotePolicy: 'smallint',
  quotedId: 'bigint',
  quoteState: 'smallint',
  quoteAuthorizationUri: 'text',
  createdAt: 'timestamptz',
  editedAt: 'timestamptz',
  applicationName: 'text',
  applicationWebsite: 'text',
  mentions: 'jsonb',
  attachments: 'jsonb',
  emojis: 'jsonb',
  mentionedIds: 'text',
  tags: 'text',
  displays: 'text',
  topics: 'text',
  keys: 'text',
  envelopes: 'text',
  pollExpiresAt: 'timestamptz',
  isMultiple: 'boolean',
  hidesTotals: 'boolean',
  pollOptions: 'text',
  pollVotes: 'text',
  pollVoters: 'integer',
  isOrdered: 'boolean',
} as const satisfies Record<keyof NewStatus, string>

const COLUMNS = Object.keys(TYPES) as (keyof NewStatus)[]

/** The constant columns of local posts without mentions, tags, references or a poll, which most are. */
const OF_PLAIN = {
  uri: null,
  url: null,
  isLocal: true,
  isFetched: false,
  inReplyToId: null,
  inReplyToAccountId: null,
  quotedId: null,
  quoteState: QuoteState.ACCEPTED,
  quoteAuthorizationUri: null,
  editedAt: null,
  mentions: '[]',
  mentionedIds: [],
  tags: [],
  displays: [],
  pollExpiresAt: null,
  isMultiple: false,
  hidesTotals: false,
  pollOptions: [],
  pollVotes: [],
  pollVoters: 0,
} as const satisfies Partial<NewStatus>

const PLAIN_COLUMNS = Object.keys(OF_PLAIN) as (keyof typeof OF_PLAIN)[]
const OTHER_COLUMNS = COLUMNS.filter((column) => !(column in OF_PLAIN))

/** Whether a status has these constants: its lists are empty, and the other columns equal. */
const isPlain = (status: NewStatus): boolean =>
  PLAIN_COLUMNS.every((column) => {
    const value = status[column]
    return Array.isArray(value) ? value.length === 0 : value === OF_PLAIN[column]
  })

/** The values of each column, in the order of the statuses. */
type Columns = Record<keyof NewStatus, readonly unknown[]>

const columnsOf = (statuses: readonly NewStatus[], columns: readonly (keyof NewStatus)[]): Columns =>
  Object.fromEntries(
    columns.map((column) => [
      column,
      statuses.map((status) => {
        const value = status[column]
        return Array.isArray(value) ? arrayLiteral(value) : value
      }),
    ]),
  ) as unknown as Columns

const constantOf = (column: keyof typeof OF_PLAIN): RawBuilder<unknown> => {
  const value: unknown = OF_PLAIN[column]
  return sql`${sql.lit(Array.isArray(value) ? '{}' : value)}::${sql.raw(TYPES[column])} ${sql.ref(column)}`
}

/** The statuses as rows, with the parameters as columns. */
const rowsOf = (given: Columns, { refers }: { refers: boolean }): RawBuilder<unknown> => {
  const columns = refers ? COLUMNS : OTHER_COLUMNS
  const values = columns.map((column) => sql`${given[column]}::${sql.raw(TYPES[column])}[]`)
  const rows = sql`unnest(${sql.join(values)}) post (${sql.join(columns.map((column) => sql.ref(column)))})`
  return refers ? sql`select * from ${rows}` : sql`select *, ${sql.join(PLAIN_COLUMNS.map(constantOf))} from ${rows}`
}

/**
 * The new `last_status_id` of an account: null, which the column refuses, if the order matters and the account has published a higher id than the
 * first of these statuses. Postgres evaluates it on the latest version of the row, under its lock, so that the statuses of one author are committed
 * in the order of their ids by any process.
 */
export const nextStatusId = ({ first, last, isOrdered }: Record<'first' | 'last' | 'isOrdered', RawBuilder<unknown>>): RawBuilder<string> =>
  sql`case when last_status_id < ${first} or not ${isOrdered}::boolean then greatest(last_status_id, ${last}) end`

/**
 * The variable parts of a statement: CTEs before the heads, the condition of an insert, further CTEs, and those that the update of accounts waits
 * for. `refers`: whether posts have references to statuses, mentions, tags or a poll.
 */
type Parts<More> = Record<'before' | 'provided' | 'beside' | 'after', (more: More) => RawBuilder<unknown>> & { refers: boolean }

/** Inserts mentions, tags, references and polls. Most posts have none, and starting these CTEs costs a fifth of the statement. */
const REFERENCES = sql`
  mentioned as (insert into mention (status_id, account_id) select id, person from made, unnest(mentioned_ids::bigint[]) person),
  named as (
    insert into tag (name, display, created_at) select t.name, t.display, made.created_at
    from made, unnest(made.tags::text[], made.displays::text[]) t (name, display) order by t.name on conflict (name) do nothing),
  tagged as (
    insert into status_tag (name, status_id, author_id, is_open) select t.name, id, author_id, ${isOpenStatus('made')}
    from made, unnest(made.tags::text[]) t (name)),
  gained as materialized (
    select target_id, sum(replies)::int replies, sum(quotes)::int quotes from (
      select in_reply_to_id target_id, (${isOpenStatus('made')})::int replies, 0 quotes from made where in_reply_to_id is not null
      union all
      select quoted_id, 0, (${isOpenStatus('made')} and quote_state = ${sql.lit(QuoteState.ACCEPTED)})::int from made where quoted_id is not null) each
    group by target_id),
  counting as materialized (
    select id from status_head where id = any(array(select target_id from gained)) order by id for no key update),
  replied as (
    update status_head h set replies = h.replies + gained.replies, quotes = h.quotes + gained.quotes
    from counting join gained on gained.target_id = counting.id
    where h.id = counting.id and gained.replies + gained.quotes > 0 returning h.id),
  quoting as (
    insert into quote (status_id, quoted_id, state, authorization_uri)
    select id, (select counting.id from counting where counting.id = made.quoted_id), quote_state, quote_authorization_uri from made
    where quoted_id is not null),
  asked as (
    insert into poll (status_id, expires_at, is_multiple, hides_totals, options, votes, voters)
    select id, poll_expires_at, is_multiple, hides_totals, poll_options::text[], poll_votes::integer[], poll_voters
    from made where poll_options <> '{}'),`

/** The thread of the parent. */
const THREAD_OF_PARENT = sql`(select thread_id from status_head parent where parent.id = post.in_reply_to_id)`

/** An author's updated account, and the ids of the inserted statuses. */
type WrittenRow = AccountRow & { madeIds: string[] }

/**
 * Writes everything that posts change, in one statement: if the head of a post is not inserted, nothing else of it is. Returns the accounts of the
 * authors whose posts were inserted. Rows with other writers are locked in the same order as everywhere: heads of statuses, accounts, then new tags
 * by name.
 */
const insertion = <More extends object>(name: string, { refers, ...parts }: Parts<More>): Prepared<Columns & More, WrittenRow> =>
  prepared(
    name,
    (given: Columns & More) => sql<WrittenRow>`
    with post as materialized (${rowsOf(given, { refers })}),
    ${parts.before(given)},
    head as (
      insert into status_head (id, author_id, visibility, is_listed, is_reply_to_other, has_media, quote_policy, is_local, is_fetched, thread_id)
      select id, author_id, visibility, is_listed, is_reply_to_other, has_media, quote_policy, is_local, is_fetched,
        ${refers ? sql`coalesce(${THREAD_OF_PARENT}, in_reply_to_id, id)` : sql`id`}
      from post where ${parts.provided(given)}
      returning id),
    made as materialized (select post.* from head join post on post.id = head.id),
    body as (
      insert into status (id, author_id, text, spoiler_text, sensitive, language, content, in_reply_to_id, in_reply_to_account_id, created_at, edited_at,
        application_name, application_website, mentions, tags, attachments, emojis, uri, url, is_findable)
      select id, author_id, text, spoiler_text, sensitive, language, content, in_reply_to_id, in_reply_to_account_id, created_at, edited_at,
        application_name, application_website, mentions, tags::text[], attachments, emojis, uri, url,
        ${isPublicStatus('made')} and (select indexable from account author where author.id = made.author_id) from made),
    own_feed as (insert into feed (account_id, status_id) select author_id, id from made where is_local),
    ${refers ? REFERENCES : sql``}
    events as (
      insert into outbox (topic, key, envelope) select event.topic, event.key, event.envelope
      from made, unnest(made.topics::text[], made.keys::text[], made.envelopes::bytea[]) with ordinality event (topic, key, envelope, place)
      order by made.id, event.place)${parts.beside(given)},
    author as materialized (
      select author_id, max(id) last, min(id) filter (where is_ordered) first_ordered, bool_or(is_ordered) is_ordered, array_agg(id::text) made_ids,
        count(*) filter (where ${isNotDirectStatus('made')} and is_local) posts,
        max((created_at at time zone 'UTC')::date) filter (where ${isNotDirectStatus('made')}) posted_on
      from made group by author_id),
    locked as materialized (
      select id locked_id from account where id = any(array(select author_id from author))${refers ? sql` and (select count(*) from replied) >= 0` : sql``}
      order by id for no key update)
    update account set version = version + 1, statuses_count = statuses_count + author.posts,
      last_status_id = ${nextStatusId({ first: sql`author.first_ordered`, last: sql`author.last`, isOrdered: sql`author.is_ordered` })},
      last_status_on = greatest(last_status_on, author.posted_on)
    from author join locked on locked_id = author.author_id
    where account.id = locked_id${parts.after(given)}
    returning ${ACCOUNT_COLUMNS}, author.made_ids`,
  )

/** The updated account of each status's author; undefined for statuses that were not inserted. */
const accountsOf = (statuses: readonly NewStatus[], rows: readonly WrittenRow[]): (AccountRow | undefined)[] => {
  const written = new Map(rows.flatMap((row) => row.madeIds.map((id) => [id, row] as const)))
  return statuses.map(({ id }) => written.get(id))
}

const NOW = {
  before: () => sql`
    held as materialized (
      select status_id, is_scheduled from idempotency_key where status_id = any(array(select id from post)) order by status_id for share)`,
  provided: () =>
    sql`not exists (select 1 from held where held.status_id = post.id and held.is_scheduled) order by id on conflict (id) do nothing`,
  beside: () => sql``,
  after: () => sql``,
} as const

const insertPosts = insertion<object>('publish.insert', { ...NOW, refers: true })
const insertPlainPosts = insertion<object>('publish.insert-plain', { ...NOW, refers: false })

/**
 * Inserts posts with distinct ids. A repeated id inserts nothing, nor does an id whose key scheduled a status: the lock on the key makes a second
 * request see the first. @returns the account of each post's author
 */
export const insertStatuses = async (source: Source, statuses: readonly NewStatus[]): Promise<(AccountRow | undefined)[]> => {
  const rows = statuses.every(isPlain)
    ? insertPlainPosts(source, columnsOf(statuses, OTHER_COLUMNS))
    : insertPosts(source, columnsOf(statuses, COLUMNS))
  return accountsOf(statuses, await rows)
}

const insertRemote = insertion<object>('publish.insert-remote', {
  refers: true,
  before: () => sql`stored as materialized (select uri from status where uri = any(array(select uri from post)))`,
  provided: () => sql`not exists (select 1 from stored where stored.uri = post.uri) on conflict (id) do nothing`,
  beside: () => sql``,
  after: () => sql``,
})

/** Inserts a remote status; a repeated uri inserts nothing. The statuses count of its author is that of their own server. */
export const insertRemoteStatus = async (source: Source, status: NewStatus): Promise<AccountRow | undefined> =>
  accountsOf([status], await insertRemote(source, columnsOf([status], COLUMNS)))[0]

/** The scheduled status that becomes the post, at the version that was read. */
type Scheduled = { scheduledId: string; scheduledVersion: number; reservation: string | null }

/** The name of the step that publishes a scheduled status, for repeated requests. */
export const PUBLISH_SCHEDULED = 'publish-scheduled'

const insertDue = insertion<Scheduled>('publish.insert-scheduled', {
  refers: true,
  before: ({ scheduledId, scheduledVersion }) =>
    sql`due as (delete from scheduled_status where id = ${scheduledId} and version = ${scheduledVersion} returning id)`,
  provided: () => sql`exists (select 1 from due)`,
  beside: ({ reservation }) => sql`,
    rekeyed as (
      update idempotency_key set status_id = (select id from post), is_scheduled = false where status_id = (select id from due) returning key),
    completed as (
      insert into completed_step (reservation, step, result)
      select ${reservation}::text, ${sql.lit(PUBLISH_SCHEDULED)}, to_json(id::text)::text from head where ${reservation}::text is not null)`,
  after: () => sql` and (select count(*) from rekeyed) >= 0`,
})

/**
 * Inserts the post of a scheduled status, if that is still at the version that was read: the same statement deletes it, and its key then refers to
 * the post.
 */
export const insertScheduled = async (source: Source, status: NewStatus, scheduled: Scheduled): Promise<AccountRow | undefined> =>
  accountsOf([status], await insertDue(source, { ...columnsOf([status], COLUMNS), ...scheduled }))[0]
