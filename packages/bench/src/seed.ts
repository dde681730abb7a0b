import { createHash } from 'node:crypto'
import pg from 'pg'
import { HOME_LENGTH, type Sizes, VIEWERS } from './sizes.ts'

/** The token of the person with this number. */
export const tokenOf = (number: number): string => `bench-token-${String(number).padStart(8, '0')}`

/** The account id of the person with this number. */
export const accountIdOf = (number: number): string => String(7_000_000_000_000_000 + number)

const digestOf = (number: number) => createHash('sha256').update(tokenOf(number)).digest()

/** The person followed by all fans. */
export const STAR = 1
/** The person followed by as many fans as there are readers. */
export const SPEAKER = 2
/** The person with the maximum of filters. */
export const FILTERER = 230
/** How many filters that is. */
const FILTERS = 1000
/** The person with the most statuses. */
export const TALKER = 232
/** How many statuses that is, besides the up to 500 that everyone posts. */
const SAID = 19_000

/** The id of a status with 199 replies, whose ids follow it. */
export const THREAD = 10_000_000_000
const REPLIES = 199
/** Plus a person's number: the id of a status of theirs that is edited. */
export const EDITED = 20_000_000_000
/** Plus a number: the id of a status of the person with the most. */
const SPOKEN = 30_000_000_000

/** The person with a million followers, if requested. */
export const IDOL = 231

/** The people who read and post in turn. The two with many followers are not among them: their posts are measured separately. */
export const numbers = Array.from({ length: VIEWERS }, (_, index) => index + 3)
/** The number of the last viewer. */
export const LAST_VIEWER = VIEWERS + 2
/** The tokens of the viewers. */
export const viewers = numbers.map(tokenOf)

/**
 * Viewers are not findable, so that only the search by themselves is measured; every tenth person is findable, and every third is in the
 * directory.
 */
const insertPeople = async (client: pg.Client, sizes: Sizes) => {
  const total = sizes.people + sizes.fans
  await client.query(
    `insert into statuses.account (id, username, is_active, display_name, note, note_html, created_at, indexable, discoverable)
     select 7000000000000000 + n, 'person' || n, true, 'Neighbour ' || n, 'Number ' || n, '<p>Number ' || n || '</p>', now(),
       n > $2 and n <= $3 and n % 10 = 0, n > $2 and n <= $3 and n % 3 = 0 from generate_series(1, $1::int) n`,
    [total, LAST_VIEWER, sizes.people],
  )
  await client.query(
    `insert into auth.login (account_id, email, password_hash, role, locale, reason, sign_up_address, created_at, confirmed_at, approved_at)
     select 7000000000000000 + n, 'person' || n || '@example.org', '', 'user', 'en', '', '', now(), now(), now() from generate_series(1, $1) n`,
    [total],
  )
  await client.query(
    `insert into auth.app (id, client_id, secret_digest, name, website, redirect_uris, scopes, is_operators, created_at)
     values (1, 'bench', '', 'Bench', '', '{}', '{read,write,follow,push}', false, now())`,
  )
  const numbers = Array.from({ length: total }, (_, index) => index + 1)
  await client.query(
    `insert into auth.access_token (digest, id, app_id, account_id, scopes, created_at)
     select digest, n, 1, 7000000000000000 + n, '{read,write,follow,push}', now() from unnest($1::bytea[], $2::int[]) as t (digest, n)`,
    [numbers.map(digestOf), numbers],
  )
}

const insertFollows = async (client: pg.Client, sizes: Sizes) => {
  await client.query(
    `insert into statuses.follow (account_id, target_id, reblogs, notify, created_at)
     select 7000000000000000 + n, 7000000000000000 + 1 + (n + step * 37) % $1, true, false, now()
     from generate_series(1, $1::int) n, generate_series(1, $2::int) step where 1 + (n + step * 37) % $1 <> n on conflict do nothing`,
    [sizes.people, sizes.follows],
  )
  const follow = (person: number, fans: number) =>
    client.query(
      `insert into statuses.follow (account_id, target_id, reblogs, notify, created_at)
       select 7000000000000000 + $1 + n, 7000000000000000 + $2, true, false, now() from generate_series(1, $3::int) n`,
      [sizes.people, person, fans],
    )
  await follow(STAR, sizes.fans)
  await follow(SPEAKER, Math.min(sizes.readers, sizes.fans))
  await client.query(
    `update statuses.account a set following_count = (select count(*) from statuses.follow where account_id = a.id),
       followers_count = (select count(*) from statuses.follow where target_id = a.id)`,
  )
}

/** Rows per statement: 10 million do not fit in the memory of one. */
const AT_A_TIME = 100_000

/** The texts differ by one word: one for the viewers, one for others, one for findable people. */
const WORDS = { viewers: 'teapot', others: 'kettle', findable: 'lantern' }

/** Inserts statuses of all people in turn, ten seconds apart until now; some with tags. */
const insertStatuses = async (client: pg.Client, sizes: Sizes) => {
  const text = (word: string) => `'The ${word} is on, the window is open and someone next door plays the same four bars again. rare'`
  const every = Math.max(1, Math.round(sizes.statuses / sizes.tagged))
  for (let start = 0; start < sizes.statuses; start += AT_A_TIME) {
    await client.query(
      `with s as (
         select ((extract(epoch from now())::bigint * 1000 - ($1::bigint - n) * 10000) << 16) id, 1 + n % $2::int author,
           7000000000000000 + 1 + n % $2::int author_id, now() - ($1::bigint - n) * interval '10 seconds' created_at, n,
           case when n % $3::int > 0 then '{}'::text[] when n / $3::int % 5 = 0 then '{tea,sugar}' when n / $3::int % 2 = 0 then '{tea,milk}' else '{tea}' end tags
         from generate_series($4::int + 1, $5::int) n),
       h as (insert into statuses.status_head (id, author_id, visibility, is_listed, is_reply_to_other, has_media, thread_id)
         select id, author_id, 1, true, false, false, id from s),
       t as (insert into statuses.status_tag (name, status_id, author_id, is_open) select unnest(tags), id, author_id, true from s)
       insert into statuses.status (id, author_id, text, spoiler_text, sensitive, language, content, created_at, tags, is_findable)
         select id, author_id, said, '', false, 'en', '<p>' || said || '</p>', created_at, tags, author > $6::int and author % 10 = 0
         from s cross join lateral (
           select case when author <= $6::int then ${text(WORDS.viewers)} when author % 10 = 0 then ${text(WORDS.findable)}
             else ${text(WORDS.others)} end || n % 10000 said) texts`,
      [sizes.statuses, sizes.people, every, start, Math.min(start + AT_A_TIME, sizes.statuses), LAST_VIEWER],
    )
  }
  await client.query(
    `insert into statuses.tag (name, display, created_at) select name, name, now() from unnest('{tea,milk,sugar}'::text[]) name`,
  )
  await client.query('analyze statuses.status_head, statuses.follow, statuses.account')
  await client.query(
    `update statuses.account a set statuses_count = (select count(*) from statuses.status_head where author_id = a.id), last_status_on = current_date
     where id <= 7000000000000000 + $1`,
    [sizes.people],
  )
}

/** Inserts homes that were read today, as long as they are stored; those of others are inactive. */
const insertHomes = async (client: pg.Client, sizes: Sizes) => {
  await client.query(
    `insert into statuses.feed (account_id, status_id)
     select v.id, s.id from statuses.account v cross join lateral (
       select h.id from (select target_id author_id from statuses.follow where account_id = v.id union all select v.id) f
       cross join lateral (select id from statuses.status_head where author_id = f.author_id order by id desc limit $2) h order by h.id desc limit $2) s
     where v.id <= 7000000000000000 + $1`,
    [sizes.homes, HOME_LENGTH],
  )
  await client.query(
    `insert into statuses.home (account_id, floor_id, is_resting, read_on)
     select a.id, case when stored.count < $3 then 0 else stored.lowest end, a.id > 7000000000000000 + $1 and a.id <= 7000000000000000 + $2, current_date
     from statuses.account a cross join lateral (
       select count(*) count, min(status_id) lowest from statuses.feed where account_id = a.id) stored`,
    [sizes.homes, sizes.people, HOME_LENGTH],
  )
}

/** Inserts tags and statuses that trend for longer than any run, and the history of the tags. */
const insertTrends = async (client: pg.Client) => {
  const forever = 1e9
  await client.query(
    `with t as (insert into statuses.tag (name, display, created_at) select 'trend' || n, 'trend' || n, now() from generate_series(1, 100) n
       returning name),
     d as (insert into statuses.trend_day (kind, key, day, uses, accounts)
       select 'tag', name, extract(epoch from now())::bigint / 86400 - ago, 90, 50 from t, generate_series(0, 6) ago)
     insert into statuses.trend (kind, key, rank) select 'tag', name, $1::float8 + row_number() over () from t`,
    [forever],
  )
  await client.query(
    `insert into statuses.status_trend (status_id, rank)
     select id, $1::float8 + row_number() over () from (
       select id from statuses.status_head where author_id = $2 and is_listed order by id desc limit 200) newest`,
    [forever, accountIdOf(FILTERER)],
  )
}

/** Inserts a thread of three levels, a status to edit per viewer, and the many statuses of one person: old enough to be on no timeline. */
const insertOld = async (client: pg.Client, sizes: Sizes) => {
  const write = (rows: string, values: unknown[]) =>
    client.query(
      `with made as (${rows}),
       h as (insert into statuses.status_head (id, author_id, visibility, is_listed, is_reply_to_other, has_media, thread_id)
         select id, author_id, 1, false, parent is not null, false, coalesce(thread_id, id) from made)
       insert into statuses.status (id, author_id, text, spoiler_text, sensitive, language, content, created_at, in_reply_to_id)
         select id, author_id, 'old', '', false, 'en', '<p>old</p>', '2020-01-01', parent from made`,
      values,
    )
  await write(
    `select $1::bigint + n id, 7000000000000001 + n % 50 author_id, $1::bigint thread_id,
       case when n = 0 then null when n % 4 = 0 then $1::bigint else $1::bigint + n - n % 4 end parent from generate_series(0, $2::int) n`,
    [THREAD, REPLIES],
  )
  await write(
    'select $1::bigint + n id, 7000000000000000 + n author_id, null::bigint thread_id, null::bigint parent from generate_series(1, $2::int) n',
    [EDITED, sizes.people],
  )
  await write(
    'select $1::bigint + n id, $3::bigint author_id, null::bigint thread_id, null::bigint parent from generate_series(1, $2::int) n',
    [SPOKEN, SAID, accountIdOf(TALKER)],
  )
  await client.query('update statuses.account set statuses_count = statuses_count + $1 where id = $2', [SAID, accountIdOf(TALKER)])
}

/** Inserts filters that do not match: the text of each status is scanned to its end. */
const insertFilters = async (client: pg.Client) => {
  await client.query(
    `with f as (
       insert into statuses.filter (account_id, title, contexts, action)
       select 7000000000000000 + $1::int, 'Filter ' || n, '{home,public}', 'warn' from generate_series(1, $2::int) n returning id)
     insert into statuses.filter_keyword (filter_id, keyword, whole_word) select id, 'the kettle ' || id, id % 2 = 0 from f`,
    [FILTERER, FILTERS],
  )
}

/** Inserts a list for each viewer, in their order, of everyone the viewer follows: its number is the viewer's index. */
const insertLists = async (client: pg.Client) => {
  await client.query(
    `insert into statuses.list (account_id, title, replies_policy, is_exclusive, created_at)
     select id, 'Friends', 'list', false, now() from unnest($1::bigint[]) with ordinality viewer (id, place) order by place`,
    [numbers.map(accountIdOf)],
  )
  await client.query(
    `insert into statuses.list_member (list_id, account_id)
     select l.id, f.target_id from statuses.list l join statuses.follow f on f.account_id = l.account_id`,
  )
}

/** Fills a migrated, empty server. */
export const seed = async (administratorUrl: string, sizes: Sizes): Promise<void> => {
  const client = new pg.Client({ connectionString: administratorUrl })
  await client.connect()
  try {
    // Related rows are inserted together: foreign keys need no checks.
    await client.query(
      `set session_replication_role = replica; set synchronous_commit = off; set work_mem = '64MB'; set maintenance_work_mem = '256MB'`,
    )
    await insertPeople(client, sizes)
    await insertFollows(client, sizes)
    await insertStatuses(client, sizes)
    await insertHomes(client, sizes)
    await insertOld(client, sizes)
    await insertFilters(client)
    await insertTrends(client)
    await insertLists(client)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
