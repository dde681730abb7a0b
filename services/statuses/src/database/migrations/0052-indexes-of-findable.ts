import { createIndexConcurrently } from '@rookery/database'
import { type Kysely, sql } from 'kysely'

export const phase = 'expand'
export const isTransactional = false

const part = (after: string) => sql`(
  select id, author_id, visibility, reblog_of_id from status_head where id > ${after} order by id limit 5000)`

/** Marks what is findable, part by part: what comes meanwhile, the job of the night marks. */
const mark = async (db: Kysely<unknown>) => {
  for (let after: string | null = '0'; after !== null; ) {
    await sql`
      update status set is_findable = true where not is_findable and id = any(array(
        select p.id from ${part(after)} p cross join lateral (select indexable from account where id = p.author_id offset 0) a
        where a.indexable and p.visibility = 1 and p.reblog_of_id is null))`.execute(db)
    const { rows }: { rows: { last: string | null }[] } = await sql<{ last: string | null }>`
      select max(id)::text last from ${part(after)} p`.execute(db)
    after = rows[0]?.last ?? null
  }
}

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await mark(db)
  // Answers: which findable statuses hold these words?
  await createIndexConcurrently(db, { name: 'status_findable_words', on: 'status using gin (search) where is_findable' })
  // Answers: which findable statuses are the newest? `id > 0` keeps it apart from the index of words: what searches those would walk this one.
  await createIndexConcurrently(db, { name: 'status_findable', on: 'status (id desc) where is_findable and id > 0' })
}
