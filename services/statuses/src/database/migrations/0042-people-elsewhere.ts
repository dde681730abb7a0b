import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/**
 * People and statuses of other servers. domain (in ASCII and lower case), uri and url are null for those of this server. What a limit of a
 * domain did to an account says so, so that lifting the limit leaves what staff did to the account alone.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table account add column domain text, add column uri text, add column url text,
    add column is_group boolean not null default false, add column rejects_media boolean not null default false,
    add column silenced_by_domain boolean not null default false, add column suspended_by_domain boolean not null default false`.execute(db)
  await sql`alter table status add column uri text, add column url text`.execute(db)
  await sql`alter table status_head add column is_local boolean not null default true`.execute(db)
  await sql`alter table report add column is_forwarded boolean not null default false`.execute(db)
  // Answers, by its key: what did staff decide of this domain?
  await sql`create table domain_limit (
    domain text primary key,
    is_silenced boolean not null,
    is_suspended boolean not null,
    rejects_media boolean not null
  )`.execute(db)
}
