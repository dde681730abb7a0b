import type { MigrationStep } from '@rookery/database'
import { sql } from 'kysely'

/**
 * What trends: counters of who used which tag or link on which day, and scores of tags, links and statuses. A rank is the base-2 logarithm of a
 * score plus its time in half-lives, so that the order of ranks stays while scores decay.
 */
export const trends: MigrationStep = {
  phase: 'expand',
  async up(db) {
    const statements = [
      // The days (since 1970) of accounts whose uses of tags and links are to be counted again.
      sql`create table pending_use (account_id bigint, day integer, primary key (account_id, day))`,

      // kind: tag or link; key: the name of the tag, or the digest of the page. The key answers: what did this account use on this day?
      sql`create table trend_use (
        account_id bigint, day integer, kind text, key text, uses integer not null, primary key (account_id, day, kind, key))`,
      // Answers: which uses are older than what trends look back on?
      sql`create index trend_use_day on trend_use (day)`,

      // The key answers: how often was this used on each day, and by how many?
      sql`create table trend_day (
        kind text, key text, day integer, uses integer not null, accounts integer not null, primary key (kind, key, day))`,
      // Answers: which counters are older than what trends look back on?
      sql`create index trend_day_day on trend_day (day)`,

      // is_approved: what a moderator decided, null as long as none did. peak is the highest score lately, of the moment peaked_at.
      sql`create table trend (
        kind text, key text, id bigint generated always as identity,
        peak double precision, peaked_at timestamptz, rank double precision, is_approved boolean, primary key (kind, key))`,
      // Answers: which link has this id?
      sql`create unique index trend_id on trend (id)`,
      // Answers: what trends, the highest first? And: what does no more?
      sql`create index trend_rank on trend (kind, rank desc)`,
      // Answers: which of those were approved, where only they are shown?
      sql`create index trend_approved on trend (kind, rank desc) where is_approved`,

      sql`create table status_trend (
        status_id bigint primary key references status_head on delete cascade, rank double precision, is_approved boolean)`,
      // Answers: which statuses trend, the highest first? And: which do no more?
      sql`create index status_trend_rank on status_trend (rank desc)`,
      // Answers: which of those were approved, where only they are shown?
      sql`create index status_trend_approved on status_trend (rank desc) where is_approved`,

      // How far the favourites are read: up to settled_id nothing can come any more, latest_id was the last one there at latest_at.
      sql`create table trend_progress (
        source text primary key, settled_id bigint not null, latest_id bigint not null, latest_at timestamptz not null)`,
      sql`insert into trend_progress (source, settled_id, latest_id, latest_at)
        select 'favourite', last_id, last_id, now() from (select coalesce(max(id), 0) last_id from favourite) f`,

      // What was used in the last days before there were counters.
      sql`insert into pending_use (account_id, day)
        select author_id, ((status_id >> 16) / 86400000)::int from (
          select author_id, status_id from status_tag where is_open and status_id >= ((extract(epoch from now()) - 604800) * 1000)::bigint << 16
          union all
          select h.author_id, c.status_id from status_card c join status_head h on h.id = c.status_id
          where c.status_id >= ((extract(epoch from now()) - 604800) * 1000)::bigint << 16) u
        group by 1, 2`,
    ]
    for (const statement of statements) await statement.execute(db)
  },
}
