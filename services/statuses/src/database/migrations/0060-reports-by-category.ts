import { createIndexConcurrently } from '@rookery/database'
import type { Kysely } from 'kysely'

export const phase = 'expand'
export const isTransactional = false

/** Each answers: which reports of a category, or assigned to someone or to no one, are open, or resolved, latest first? */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  const [open, closed] = ['where action_taken_at is null', 'where action_taken_at is not null']
  await createIndexConcurrently(db, { name: 'report_open_category', on: `report (category, id) ${open}` })
  await createIndexConcurrently(db, { name: 'report_closed_category', on: `report (category, id) ${closed}` })
  await createIndexConcurrently(db, { name: 'report_open_assigned', on: `report (assigned_to_id, id) ${open}` })
  await createIndexConcurrently(db, { name: 'report_closed_assigned', on: `report (assigned_to_id, id) ${closed}` })
}
