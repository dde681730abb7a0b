import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** How apps begin to show what someone reads: null media is as the app has it. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table account add column expand_media text, add column expand_spoilers boolean not null default false,
    add column autoplay_gifs boolean not null default false`.execute(db)
}
