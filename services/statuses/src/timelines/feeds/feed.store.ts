import { type Db, MAX_ID, prepared, type Source, type Tx, transact } from '@rookery/database'
import { dayOf } from '@rookery/runtime'
import { type RawBuilder, sql } from 'kysely'
import type { StatusesTables } from '../../database/schema.ts'
import { MAX_STORED, NEAR } from './feed.rules.ts'
import { announced, belonging, isPulled, listed, listsOf, NO_LIMIT, ownersAmong, placed, TAKEN_BY_HOME } from './feed-rule.store.ts'

/** A deleted status, by its event. */
export type Gone = { statusId: string; authorId: string; tags: readonly string[] }

/** A home that lost a status or a boost: another boost of the same may take its place. */
type Vacancy = { accountId: string; originalId: string }

/** Maximum followers per statement: many posts for few followers, or one post for many, cost about the same. */
const CHUNK = 20_000
/** The advisory lock of feeds: this number, and the hash of the schema's name. */
const FEEDS_LOCK = 4_712
/** Of this many entries placed in a home, about one triggers a trim. */
const TRIM_EVERY = 128

/** A list that shows, or showed, a status. */
export type Shown = { listId: string; statusId: string }

const showing = prepared(
  'timelines.showing',
  ({ ids, ownerIds, now }: { ids: readonly string[]; ownerIds: readonly string[]; now: Date }) => sql<Shown>`
    with ${placed(sql`select unnest(${ids}::bigint[])`)}, ${listed(listsOf(ownerIds), ownersAmong(ownerIds, now))}
    select list_id, id status_id from listed`,
)

/** The pairs of these owners' lists and these statuses that the lists show. */
export const readShowing = (
  source: Source,
  statusIds: readonly string[],
  { ownerIds, now }: { ownerIds: readonly string[]; now: Date },
): Promise<Shown[]> => showing(source, { ids: statusIds, ownerIds, now })

/** The pairs of these owners' lists and these members. */
export const readListsWith = async (
  db: Db<StatusesTables>,
  memberIds: readonly string[],
  ownerIds: readonly string[],
): Promise<{ listId: string; memberId: string }[]> => {
  const { rows } = await sql<{ listId: string; memberId: string }>`
    select l.id "listId", m.account_id "memberId" from list_member m join list l on l.id = m.list_id
    where m.account_id = any(${[...memberIds]}::bigint[]) and l.account_id = any(${[...ownerIds]}::bigint[])`.execute(db)
  return rows
}

/** Every n-th local follower of each author, by id. */
export const readEveryFollower = prepared(
  'timelines.every-follower',
  ({ authorIds, every }: { authorIds: readonly string[]; every: number }) => sql<{ id: string }>`
    select distinct account_id id from unnest(${authorIds}::bigint[]) as author (id) cross join lateral (
      select account_id, row_number() over (order by account_id) place from follow where target_id = author.id and is_local) follower
    where place % ${every}::int = 0 order by account_id`,
)

/** A follower who asked for notifications of an author's posts. */
export type Subscriber = { followerId: string; authorId: string; statusId: string }

const subscribers = prepared(
  'timelines.subscribers',
  ({ ids, now }: { ids: readonly string[]; now: Date }) => sql<Subscriber>`
    with ${placed(sql`select unnest(${ids}::bigint[])`)}, ${announced({ now: sql`${now}` })}
    select account_id follower_id, author_id, id status_id from announced order by id, account_id`,
)

/** The followers who asked for notifications of the posts of these statuses' authors. */
export const readSubscribers = (source: Source, statusIds: readonly string[], now: Date): Promise<Subscriber[]> =>
  subscribers(source, { ids: statusIds, now })

/** Blocks concurrent blocks and mutes by these accounts until the transaction ends: those lock the acting account. */
export const holdActs = async (tx: Tx<StatusesTables>, accountIds: readonly string[]): Promise<void> => {
  await sql`select 1 from account where id = any(${[...accountIds]}::bigint[]) order by id for share`.execute(tx)
}

/** Account ids above `after`, up to `upTo`. */
export type Range = { after: string; upTo: string }

const EVERYONE: Range = { after: '0', upTo: MAX_ID }

/** Statuses, and the range of readers of which a chunk is taken. */
type Chunked = Range & { ids: readonly string[]; now: Date }

const belongingOf = ({ ids, after, upTo, now }: Chunked) => {
  const readers = { range: { after: sql`${after}`, upTo: sql`${upTo}` }, now: sql`${now}` }
  return sql`with ${placed(sql`select unnest(${ids}::bigint[])`)}, ${belonging(readers, sql.raw(String(CHUNK)), 'written')}`
}

/** Whether the home of `b` has the original of the boost `b`, or a boost of it, within 80 entries either way. */
const IS_NEAR = sql`
  (exists (select 1 from status_head where reblog_of_id = b.reblog_of_id and id <> b.id)
    or exists (select 1 from feed where account_id = b.account_id and status_id = b.reblog_of_id))
  and exists (
    select 1 from (
      (select status_id, reblog_of_id from feed where account_id = b.account_id and status_id < b.id order by status_id desc limit ${sql.raw(String(NEAR))})
      union all
      (select status_id, reblog_of_id from feed where account_id = b.account_id and status_id > b.id order by status_id limit ${sql.raw(String(NEAR))})) near
    where near.status_id = b.reblog_of_id or near.reblog_of_id = b.reblog_of_id)`

/** The rows of `belonging` that homes take. */
const TAKEN = {
  posts: sql`select b.account_id, b.id, b.reblog_of_id from belonging b where b.reblog_of_id is null and ${TAKEN_BY_HOME}`,
  boosts: sql`select distinct on (b.account_id, b.reblog_of_id) b.account_id, b.id, b.reblog_of_id from belonging b
    where b.reblog_of_id is not null and ${TAKEN_BY_HOME} and not (${IS_NEAR}) order by b.account_id, b.reblog_of_id, b.id`,
}

const TRIM = prepared(
  'timelines.trim',
  ({ accountIds, day }: { accountIds: readonly string[]; day: string }) => sql<never>`
    with cut as materialized (
      select account_id, (select status_id from feed where feed.account_id = grown.account_id
        order by status_id desc offset ${sql.lit(MAX_STORED - 1)} limit 1) floor_id
      from unnest(${accountIds}::bigint[]) as grown (account_id)),
    raised as (
      insert into home (account_id, floor_id, read_on)
      select account_id, floor_id, ${day}::date from cut where floor_id is not null order by account_id
      on conflict (account_id) do update set floor_id = excluded.floor_id where excluded.floor_id > home.floor_id
      returning account_id, floor_id)
    delete from feed where ctid = any(array(select below.ctid from raised cross join lateral (
      select ctid from feed where account_id = raised.account_id and status_id < raised.floor_id offset 0) below))`,
)

const putInto = (kind: keyof typeof TAKEN) =>
  sql`insert into feed (account_id, status_id, reblog_of_id) ${TAKEN[kind]} on conflict do nothing`

type Chunk = { upTo: string; hasMore: boolean }

/** Returns how far the chunk went, and which homes are to be trimmed. */
const placing = (kind: keyof typeof TAKEN) =>
  prepared(
    `timelines.place-${kind}`,
    (given: Chunked) => sql<Chunk & { grown: string[] }>`${belongingOf(given)},
      put as (${putInto(kind)})
      select up_to, has_more,
        array(select distinct account_id::text from belonging where hashint8(account_id # id) & ${sql.raw(String(TRIM_EVERY - 1))} = 0) grown
      from bound`,
  )

const PLACE = { posts: placing('posts'), boosts: placing('boosts') }

/** Only for the homes of these accounts. They are trimmed when the statuses are placed in all homes. */
const placingFor = (kind: keyof typeof TAKEN) =>
  prepared(
    `timelines.place-${kind}-for`,
    ({ ids, accountIds, now }: { ids: readonly string[]; accountIds: readonly string[]; now: Date }) => sql<never>`
      with ${placed(sql`select unnest(${ids}::bigint[])`)}, ${belonging({ some: sql`${accountIds}`, now: sql`${now}` }, NO_LIMIT, 'written')}
      ${putInto(kind)}`,
  )

const PLACE_FOR = { posts: placingFor('posts'), boosts: placingFor('boosts') }

/**
 * Whether a row of feed is one of some pairs (account_id, id). Each pair is looked up: if the planner underestimates feed, or overestimates the
 * pairs, it would read all of feed.
 */
const entriesOf = (pairs: RawBuilder<unknown>) => sql`ctid = any(array(select entry.ctid from ${pairs} pair cross join lateral (
  select ctid from feed where account_id = pair.account_id and status_id = pair.id offset 0) entry))`

/** Removes the statuses from homes of followers of the author, or of current or former tags, where they no longer belong. */
const RECHECK = prepared(
  'timelines.recheck',
  (given: Chunked & { tags: readonly string[] }) => sql<Chunk & { vacancies: Vacancy[] }>`${belongingOf(given)},
    audience as (
      select f.account_id, p.id from placed p join followers f on f.target_id = p.author_id
      union select t.account_id, p.id from placed p cross join lateral (select name from status_tag where status_id = p.id offset 0) s
        cross join lateral (select account_id from tag_follow where name = s.name offset 0) t
      union select t.account_id, p.id from placed p cross join lateral (
        select account_id from tag_follow where name = any(${given.tags}::text[]) offset 0) t),
    gone as (
      delete from feed where ${entriesOf(sql`(
        select account_id, id from audience except select account_id, id from belonging)`)}
      returning feed.account_id, coalesce(feed.reblog_of_id, feed.status_id) original_id)
    select up_to, has_more,
      coalesce((select json_agg(json_build_object('accountId', account_id::text, 'originalId', original_id::text)) from gone), '[]') vacancies
    from bound`,
)

/** Runs a statement for one chunk of readers after the other. */
const inChunks = async <Row extends Chunk>(
  { after, upTo }: Range,
  send: (range: Range) => Promise<Row[]>,
  act: (row: Row) => unknown,
): Promise<void> => {
  for (let above = after; ; ) {
    const [row] = await send({ after: above, upTo })
    if (row) await act(row)
    if (!row?.hasMore) return
    above = row.upTo
  }
}

/** Ids of statuses, by how they are placed. */
type ToPlace = { posts: readonly string[]; boosts: readonly string[] }

export const toPlace = (statuses: readonly { statusId: string; reblogOfId: string }[]): ToPlace => {
  const idsOf = (some: typeof statuses) => some.map(({ statusId }) => statusId)
  return { posts: idsOf(statuses.filter(({ reblogOfId }) => !reblogOfId)), boosts: idsOf(statuses.filter(({ reblogOfId }) => reblogOfId)) }
}

export class FeedWriter {
  private readonly tx: Tx<StatusesTables>

  constructor(tx: Tx<StatusesTables>) {
    this.tx = tx
  }

  /** Takes a shared lock on feeds until the transaction ends: others may place too, but not claim. */
  async share(): Promise<void> {
    await sql`select pg_advisory_xact_lock_shared(${FEEDS_LOCK}::int, hashtext(current_schema()))`.execute(this.tx)
  }

  /**
   * Takes the exclusive lock on feeds until the transaction ends, waiting for placements in progress: placements read the follows before they write,
   * so that entries removed after an unfollow would otherwise return.
   */
  async claim(): Promise<void> {
    await sql`select pg_advisory_xact_lock(${FEEDS_LOCK}::int, hashtext(current_schema()))`.execute(this.tx)
  }

  /**
   * Places statuses in the homes they belong in (beyond-the-spec 1.12), with one insert … select per chunk of followers; boosts last, because they
   * are left out near existing entries. Statuses deleted meanwhile are not placed.
   */
  async place({ posts, boosts }: ToPlace, now: Date, range = EVERYONE): Promise<void> {
    if (posts.length > 0) await this.put('posts', { ...range, ids: posts, now })
    if (boosts.length > 0) await this.put('boosts', { ...range, ids: boosts, now })
  }

  /** Places statuses only in the homes of these accounts. */
  async placeFor(accountIds: readonly string[], { posts, boosts }: ToPlace, now: Date): Promise<void> {
    if (posts.length > 0) await PLACE_FOR.posts(this.tx, { ids: posts, accountIds, now })
    if (boosts.length > 0) await PLACE_FOR.boosts(this.tx, { ids: boosts, accountIds, now })
  }

  private async put(kind: keyof typeof PLACE, given: Chunked): Promise<void> {
    await inChunks(
      given,
      (range) => PLACE[kind](this.tx, { ...given, ...range }),
      async ({ grown }) => {
        if (grown.length > 0) await this.trim(grown, given.now)
      },
    )
  }

  /** Removes changed statuses from the homes where they no longer belong; `tags` are their former tags. */
  async recheck(ids: readonly string[], tags: readonly string[], now: Date): Promise<Vacancy[]> {
    const vacancies: Vacancy[] = []
    await inChunks(
      EVERYONE,
      (range) => RECHECK(this.tx, { ids, ...range, now, tags }),
      (chunk) => void vacancies.push(...chunk.vacancies),
    )
    return vacancies
  }

  /** Fills the places of removed boosts with other boosts of the same status that belong there. */
  async fill(vacancies: readonly Vacancy[], now: Date): Promise<void> {
    if (vacancies.length === 0) return
    const originals = vacancies.map(({ originalId }) => originalId)
    const { rows } = await sql<{ id: string }>`
      select id from status_head where reblog_of_id = any(${originals}::bigint[])`.execute(this.tx)
    if (rows.length === 0) return
    const boosts = rows.map(({ id }) => id)
    const accountIds = [...new Set(vacancies.map(({ accountId }) => accountId))]
    for (let from = 0; from < accountIds.length; from += CHUNK) {
      await this.placeFor(accountIds.slice(from, from + CHUNK), { posts: [], boosts }, now)
    }
  }

  /** Removes deleted statuses from the homes of their authors and of followers of the authors or tags; returns where a boost is missing. */
  async withdraw(gone: readonly Gone[]): Promise<Vacancy[]> {
    const tagged = gone.flatMap(({ statusId, tags }) => tags.map((name) => ({ statusId, name })))
    const { rows } = await sql<{ accountId: string; originalId: string }>`
      delete from feed where ${entriesOf(sql`(
        select f.account_id, s.id from unnest(${gone.map(({ statusId }) => statusId)}::bigint[],
          ${gone.map(({ authorId }) => authorId)}::bigint[]) as s (id, author_id)
        cross join lateral (select account_id from follow where target_id = s.author_id and is_local offset 0) f
        where not ${isPulled(sql.raw('s.author_id'), sql.raw('s.id'))}
        union
        select t.account_id, s.id from unnest(${tagged.map(({ statusId }) => statusId)}::bigint[],
          ${tagged.map(({ name }) => name)}::text[]) as s (id, name)
        cross join lateral (select account_id from tag_follow where name = s.name offset 0) t
        union
        -- A concurrent placement of an edit may have put it back.
        select account_id, id from unnest(${gone.map(({ authorId }) => authorId)}::bigint[],
          ${gone.map(({ statusId }) => statusId)}::bigint[]) as s (account_id, id))`)}
      returning feed.account_id "accountId", feed.reblog_of_id "originalId"`.execute(this.tx)
    return rows.filter(({ originalId }) => originalId !== null)
  }

  /** Replies to deleted statuses. */
  async orphans(parentIds: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select id from status where in_reply_to_id = any(${[...parentIds]}::bigint[])`.execute(this.tx)
    return rows.map(({ id }) => id)
  }

  /** Boosts of these statuses. */
  async boostsOf(ids: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`select id from status_head where reblog_of_id = any(${[...ids]}::bigint[])`.execute(this.tx)
    return rows.map(({ id }) => id)
  }

  /** Trims these homes to the newest 800 entries; the floor is the lowest of them. */
  async trim(accountIds: readonly string[], now: Date): Promise<void> {
    await TRIM(this.tx, { accountIds, day: dayOf(now.getTime()) })
  }
}

/** Writes feeds in a transaction with the shared lock. */
export const writeFeeds = (db: Db<StatusesTables>, write: (feeds: FeedWriter) => Promise<void>): Promise<void> =>
  transact(db, async (tx) => {
    const feeds = new FeedWriter(tx)
    await feeds.share()
    await write(feeds)
  })
