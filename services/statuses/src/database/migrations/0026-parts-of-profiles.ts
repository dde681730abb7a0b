import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Which parts of a profile somebody wants shown. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const run = (text: string) => sql.raw(text).execute(db)

  await run(`
    alter table account
      add column show_media boolean not null default true,
      add column show_media_replies boolean not null default true,
      add column show_featured boolean not null default true`)
}
