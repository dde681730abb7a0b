import { createHash } from 'node:crypto'
import pg from 'pg'

/** How large the server is that is measured. */
export const SIZES = {
  people: 1000,
  follows: 5,
  statuses: 20_000,
  viewers: 200,
  filters: 1000,
  fans: 10_000,
  readers: 1000,
  crowd: 1_000_000,
}

/** The token of the person with this number. */
export const tokenOf = (number: number): string => `bench-token-${String(number).padStart(8, '0')}`

/** The account id of the person with this number. */
export const accountIdOf = (number: number): string => String(7_000_000_000_000_000 + number)

const digestOf = (number: number) => createHash('sha256').update(tokenOf(number)).digest()

/** Someone followed by all fans. */
export const STAR = 1
/** Someone followed by as many fans as there are readers. */
export const SPEAKER = 2
/** Someone who filters as much as one person may. */
export const FILTERER = 900

/** The id of a status with 199 replies, whose ids are those after it. */
export const THREAD = 10_000_000_000
const REPLIES = 199
/** With a person's number added: the id of a status of theirs that is edited. */
export const EDITED = 20_000_000_000

/** Whom a million follow, when that is asked for. */
export const IDOL = 950

/** Those who read and post in turn. Neither of the two with many followers is among them: their posts are measured apart. */
export const numbers = Array.from({ length: SIZES.viewers }, (_, index) => index + 3)
/** Their tokens. */
export const viewers = numbers.map(tokenOf)

const insertPeople = async (client: pg.Client) => {
  const total = SIZES.people + SIZES.fans
  await client.query(
    `insert into statuses.account (id, username, is_active, display_name, note, note_html, created_at)
     select 7000000000000000 + n, 'person' || n, true, 'Person ' || n, 'Number ' || n, '<p>Number ' || n || '</p>', now() from generate_series(1, $1) n`,
    [total],
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

const insertFollows = async (client: pg.Client) => {
  await client.query(
    `insert into statuses.follow (account_id, target_id, reblogs, notify, created_at)
     select 7000000000000000 + n, 7000000000000000 + 1 + (n + step * 37) % $1, true, false, now()
     from generate_series(1, $1::int) n, generate_series(1, $2::int) step where 1 + (n + step * 37) % $1 <> n on conflict do nothing`,
    [SIZES.people, SIZES.follows],
  )
  await client.query(
    `insert into statuses.follow (account_id, target_id, reblogs, notify, created_at)
     select 7000000000000000 + $1 + n, 7000000000000000 + $2, true, false, now() from generate_series(1, $3::int) n`,
    [SIZES.people, STAR, SIZES.fans],
  )
  await client.query(
    `insert into statuses.follow (account_id, target_id, reblogs, notify, created_at)
     select 7000000000000000 + $1 + n, 7000000000000000 + $2, true, false, now() from generate_series(1, $3::int) n`,
    [SIZES.people, SPEAKER, SIZES.readers],
  )
  await client.query(
    `update statuses.account a set following_count = (select count(*) from statuses.follow where account_id = a.id),
       followers_count = (select count(*) from statuses.follow where target_id = a.id)`,
  )
}

/** Statuses of all people in turn, in the last days, and in the homes of their followers. */
const insertStatuses = async (client: pg.Client) => {
  const text = 'The kettle is on, the window is open and someone next door plays the same four bars again. #tea'
  const html = `<p>The kettle is on, the window is open and someone next door plays the same four bars again. <a href="http://localhost/tags/tea" class="mention hashtag" rel="tag">#<span>tea</span></a></p>`
  await client.query(
    `with s as (
       select ((extract(epoch from now())::bigint * 1000 - ($1 - n) * 10000::bigint) << 16) id, 7000000000000000 + 1 + n % $2 author_id,
         now() - ($1 - n) * interval '10 seconds' created_at from generate_series(1, $1::int) n),
     h as (insert into statuses.status_head (id, author_id, visibility, is_listed, is_reply_to_other, has_media, thread_id)
       select id, author_id, 1, true, false, false, id from s),
     b as (insert into statuses.status (id, author_id, text, spoiler_text, sensitive, language, content, created_at, tags)
       select id, author_id, $3, '', false, 'en', $4, created_at, '{tea}' from s),
     t as (insert into statuses.status_tag (name, status_id, author_id, is_open) select 'tea', id, author_id, true from s)
     insert into statuses.feed (account_id, status_id)
       select author_id, id from s union select f.account_id, s.id from s join statuses.follow f on f.target_id = s.author_id
       where f.account_id <= 7000000000000000 + $2`,
    [SIZES.statuses, SIZES.people, text, html],
  )
  // Homes that are whole and were read today.
  await client.query('insert into statuses.home (account_id, floor_id, read_on) select id, 0, current_date from statuses.account')
  await client.query(`insert into statuses.tag (name, display, created_at) values ('tea', 'tea', now())`)
  await client.query(
    `update statuses.account a set statuses_count = (select count(*) from statuses.status_head where author_id = a.id), last_status_on = current_date
     where id <= 7000000000000000 + $1`,
    [SIZES.people],
  )
}

/** Tags and statuses that trend for longer than any run, and how the tags were used. */
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
  // Of one person alone, so that suggestions stay what they were.
  await client.query('update statuses.account set discoverable = true where id = $1', [accountIdOf(FILTERER)])
  await client.query(
    `insert into statuses.status_trend (status_id, rank)
     select id, $1::float8 + row_number() over () from statuses.status_head where author_id = $2 and is_listed`,
    [forever, accountIdOf(FILTERER)],
  )
}

/** A thread of three levels, and a status of everyone's to edit: old enough to be on no timeline. */
const insertOld = async (client: pg.Client) => {
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
    [EDITED, SIZES.people],
  )
}

/** Filters of which none fits: the text of each status is read to its end. */
const insertFilters = async (client: pg.Client) => {
  await client.query(
    `with f as (
       insert into statuses.filter (account_id, title, contexts, action)
       select 7000000000000000 + $1::int, 'Filter ' || n, '{home,public}', 'warn' from generate_series(1, $2::int) n returning id)
     insert into statuses.filter_keyword (filter_id, keyword, whole_word) select id, 'the kettle ' || id, id % 2 = 0 from f`,
    [FILTERER, SIZES.filters],
  )
}

/** A list for each viewer, in their order, of everyone the viewer follows: its number is the viewer's place. */
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
export const seed = async (administratorUrl: string): Promise<void> => {
  const client = new pg.Client({ connectionString: administratorUrl })
  await client.connect()
  try {
    await insertPeople(client)
    await insertFollows(client)
    await insertStatuses(client)
    await insertOld(client)
    await insertFilters(client)
    await insertTrends(client)
    await insertLists(client)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}
