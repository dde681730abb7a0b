import { createIndexConcurrently } from '@rookery/database'
import type { Kysely } from 'kysely'

export const phase = 'expand'
export const isTransactional = false

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Answers: which statuses of this person hold these words? What waits to be put in order is kept short: every search reads it. `author_id > 0` keeps it
  // apart from those who ask for findable statuses by their words alone.
  await createIndexConcurrently(db, {
    name: 'status_author_words',
    on: 'status using gin (author_id extensions.int8_ops, search) with (gin_pending_list_limit = 256) where author_id > 0',
  })
  // Answers: what did this person boost, latest first? `id > 0` keeps it apart from those who ask whether the person boosted one status.
  await createIndexConcurrently(db, {
    name: 'status_head_boosts_by',
    on: 'status_head (author_id, id desc) include (reblog_of_id) where reblog_of_id is not null and id > 0',
  })
}
