import { createIndexConcurrently } from '@rookery/database'
import { type Kysely, sql } from 'kysely'

export const phase = 'expand'
export const isTransactional = false

/** What approves a quote of a status of another server, by the id it has there; null for quotes of statuses of this server. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table quote add column if not exists authorization_uri text`.execute(db)
  // Answers: which quote does this approve?
  await createIndexConcurrently(db, {
    name: 'quote_authorization',
    on: 'quote (authorization_uri) where authorization_uri is not null',
  })
}
