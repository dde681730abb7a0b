import { type Db, hasRow, prepared, type Tx } from '@rookery/database'
import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import { isNotSuspended, isOpenStatus, isReachable } from '../../audience/index.ts'
import { type Mentionable, originOf } from '../../content/text/index.ts'
import type { StatusesTables } from '../../database/schema.ts'
import type { AnnouncementTable } from '../../database/tables/announcement.ts'
import type { StoredEmoji } from '../../database/tables/emoji.ts'

export type AnnouncementRow = Selectable<AnnouncementTable>

/** An announcement for one viewer, or for all if there is no viewer. */
export type ShownRow = Pick<AnnouncementRow, 'id' | 'content' | 'startsAt' | 'endsAt' | 'allDay' | 'tags' | 'emojis' | 'updatedAt'> & {
  publishedAt: Date
  isRead: boolean
  mentions: Mentionable[]
  statuses: { id: string; username: string }[]
  reactions: ReactionCount[]
}

export type ReactionCount = { name: string; count: number; mine: boolean; emoji: StoredEmoji | null }

/** Maximum announcements shown, and listed for staff: the latest. */
const MAX_SHOWN = 100
const MAX_LISTED = 500

/** Whether an announcement, by the alias of its row, is visible at a time: the job that withdraws it may be late. */
const isShownAt = (row: string, now: Date) =>
  sql<boolean>`${sql.raw(row)}.published_at is not null and (${sql.raw(row)}.ends_at is null or ${sql.raw(row)}.ends_at > ${now}::timestamptz)`

/** Whether a viewer, who may be null, has dismissed an announcement, by the alias of its row. */
const isDismissed = (row: string, viewer: RawBuilder<unknown>) =>
  hasRow(sql`from announcement_dismissal d where d.announcement_id = ${sql.raw(row)}.id and d.account_id = ${viewer}::bigint`)

/** The visible content of announcements for a viewer, who may be null. Accounts and statuses that are no longer visible are left out. */
const shownOf = (rows: RawBuilder<unknown>, viewer: RawBuilder<unknown>) => sql<ShownRow>`
  select a.id, a.content, a.starts_at, a.ends_at, a.all_day, a.published_at, a.updated_at, a.tags, a.emojis,
    ${isDismissed('a', viewer)} is_read,
    (select coalesce(jsonb_agg(jsonb_build_object('id', p.id::text, 'username', p.username, 'origin', ${originOf('p')}) order by named.place), '[]')
     from unnest(a.mention_ids) with ordinality named (id, place)
     cross join lateral (select id, username, domain, uri, url from account where id = named.id and ${isReachable()} offset 0) p) mentions,
    (select coalesce(jsonb_agg(jsonb_build_object('id', s.id::text, 'username', p.username) order by named.place), '[]')
     from unnest(a.status_ids) with ordinality named (id, place)
     cross join lateral (select h.id, h.author_id from status_head h where h.id = named.id and ${isOpenStatus('h')} offset 0) s
     cross join lateral (select username from account where id = s.author_id and ${isNotSuspended()} offset 0) p) statuses,
    (select coalesce(jsonb_agg(jsonb_build_object('name', c.name, 'count', c.count, 'emoji', c.emoji, 'mine', ${hasRow(
      sql`from announcement_reaction r where r.announcement_id = a.id and r.account_id = ${viewer}::bigint and r.name = c.name`,
    )}) order by c.id), '[]')
     from announcement_reaction_count c where c.announcement_id = a.id) reactions
  from (${rows}) a order by coalesce(a.starts_at, a.published_at), a.id`

type Listing = { viewerId: string; now: Date; withDismissed: boolean }

/** The announcements visible to a viewer, ordered by their start. */
export const listShown = prepared('announcements.list', ({ viewerId, now, withDismissed }: Listing) =>
  shownOf(
    sql`
      select a.* from announcement a where ${isShownAt('a', now)} and (${withDismissed}::boolean or not ${isDismissed('a', sql`${viewerId}`)})
      order by a.id desc limit ${sql.lit(MAX_SHOWN)}`,
    sql`${viewerId}`,
  ),
)

/** The visible ones of some announcements, for all viewers. */
export const readShown = prepared('announcements.read', ({ ids, now }: { ids: readonly string[]; now: Date }) =>
  shownOf(sql`select a.* from announcement a where a.id = any(${ids}::bigint[]) and ${isShownAt('a', now)}`, sql`null`),
)

/** Marks an announcement as read by a viewer; returns its id if it is visible. Idempotent. */
export const dismiss = prepared(
  'announcements.dismiss',
  ({ id, viewerId, now }: { id: string; viewerId: string; now: Date }) => sql<{ id: string }>`
    with shown as (select a.id from announcement a where a.id = ${id} and ${isShownAt('a', now)}),
    dismissed as (
      insert into announcement_dismissal (announcement_id, account_id) select id, ${viewerId}::bigint from shown on conflict do nothing)
    select id from shown`,
)

export class AnnouncementReader {
  protected readonly db: Db<StatusesTables>

  constructor(db: Db<StatusesTables>) {
    this.db = db
  }

  async find(id: string): Promise<AnnouncementRow | undefined> {
    return this.db.selectFrom('announcement').selectAll().where('id', '=', id).executeTakeFirst()
  }

  /** Latest first. */
  async latest(): Promise<AnnouncementRow[]> {
    return this.db.selectFrom('announcement').selectAll().orderBy('id', 'desc').limit(MAX_LISTED).execute()
  }
}

const stored = <Row extends Partial<Pick<AnnouncementRow, 'emojis'>>>({ emojis, ...row }: Row) => ({
  ...row,
  ...(emojis ? { emojis: JSON.stringify(emojis) } : {}),
})

export class AnnouncementWriter extends AnnouncementReader {
  constructor(tx: Tx<StatusesTables>) {
    super(tx)
  }

  async add(row: Omit<AnnouncementRow, 'id' | 'publishedAt'>): Promise<AnnouncementRow> {
    const values = stored(row) as Insertable<AnnouncementTable>
    return this.db.insertInto('announcement').values(values).returningAll().executeTakeFirstOrThrow()
  }

  /** Locks an announcement, so that changes to it and to its reactions are serialised; undefined if there is none. */
  async lock(id: string): Promise<AnnouncementRow | undefined> {
    return this.db.selectFrom('announcement').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  }

  /** Locks a visible announcement; false if it is not visible. */
  async lockShown(id: string, now: Date): Promise<boolean> {
    const query = this.db.selectFrom('announcement').select('id').where('id', '=', id)
    return (await query.where(isShownAt('announcement', now)).forNoKeyUpdate().executeTakeFirst()) !== undefined
  }

  async change(id: string, change: Partial<Omit<AnnouncementRow, 'id'>>): Promise<AnnouncementRow> {
    return this.db.updateTable('announcement').set(stored(change)).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
  }

  /** Deletes an announcement with its dismissals and reactions. */
  async remove(id: string): Promise<void> {
    await this.db.deleteFrom('announcement').where('id', '=', id).execute()
  }
}
