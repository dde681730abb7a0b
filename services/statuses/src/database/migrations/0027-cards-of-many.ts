import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Pages that very many statuses show. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const run = (text: string) => sql.raw(text).execute(db)

  // Answers: which statuses show this page, part by part?
  await run('create index status_card_shown on status_card (digest, status_id)')
  await run('drop index status_card_digest')
}
