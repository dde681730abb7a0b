import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Pictures of the server's own, by what people type between colons. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Answers, by its key: which picture does this shortcode mean?
  await sql
    .raw(`
    create table custom_emoji (
      shortcode text primary key,
      category text,
      url text not null,
      static_url text not null,
      visible_in_picker boolean not null default true,
      created_at timestamptz not null
    )`)
    .execute(db)
}
