import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/**
 * Files of other servers that are kept here, or that could not be had lately; what staff rejects of domains; hosts as they answer; the key
 * that addresses are signed with. domain is that of who shows a file; the host of its url may be another.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table remote_file (
      digest text primary key,
      purpose text not null check (purpose in ('original', 'preview', 'avatar', 'header', 'emoji')),
      domain text not null,
      url text not null,
      original_key text,
      still_key text,
      is_kept boolean not null default false,
      bytes bigint not null default 0,
      failures smallint not null default 0,
      asked_at timestamptz not null,
      retry_at timestamptz
    )`.execute(db)
  // Answers: which files has no one asked for lately?
  await sql`create index remote_file_asked on remote_file (asked_at)`.execute(db)
  // Answers: which files are of this domain and those below it? How many bytes are of each?
  await sql`create index remote_file_domain on remote_file (reverse(split_part(domain, ':', 1)) text_pattern_ops)`.execute(db)
  // Answers: which records name the files between two keys?
  await sql`create index remote_file_original on remote_file (original_key) where original_key is not null`.execute(db)
  await sql`create index remote_file_still on remote_file (still_key) where still_key is not null`.execute(db)

  // Domains of which staff decided something. The most specific counts: one below a rejected one may be accepted.
  await sql`create table remote_domain (domain text primary key, is_rejected boolean not null)`.execute(db)

  await sql`
    create table remote_host (
      host text primary key,
      failures smallint not null default 0,
      rests_until timestamptz,
      hour timestamptz not null,
      bytes bigint not null default 0
    )`.execute(db)
  // Answers: which hosts has nothing been fetched from lately?
  await sql`create index remote_host_hour on remote_host (hour)`.execute(db)

  await sql`create table server_key (name text primary key, value bytea not null)`.execute(db)
}
