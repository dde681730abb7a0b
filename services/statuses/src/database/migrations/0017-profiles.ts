import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** What belongs to profiles beside their texts: the files they show, who may quote, and whose pages may name them as authors. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const run = (text: string) => sql.raw(text).execute(db)

  await run(`
    alter table account
      add column avatar_media_id bigint,
      add column header_media_id bigint,
      add column default_quote_policy text,
      add column attribution_domains text[] not null default '{}'`)
}
