import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Numbers for tags: clients read the id of every record as digits. A new tag takes its number from the sequence, by old code too. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const run = (text: string) => sql.raw(text).execute(db)

  await run('alter table tag add column id bigint')
  await run('create sequence tag_id_seq owned by tag.id')
  await run(`alter table tag alter column id set default nextval('tag_id_seq')`)
}
