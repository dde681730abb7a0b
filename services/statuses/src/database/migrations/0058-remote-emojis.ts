import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Emojis of other servers as they came with statuses and profiles, and emojis of this server that no one may use at the moment. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  // remote_url: where its server has it; the others are addresses here. The key answers: which emojis has this domain?
  await sql`
    create table remote_emoji (
      domain text,
      shortcode text,
      remote_url text not null,
      url text not null,
      static_url text not null,
      primary key (domain, shortcode)
    )`.execute(db)
  await sql`alter table custom_emoji add column is_disabled boolean not null default false`.execute(db)
}
