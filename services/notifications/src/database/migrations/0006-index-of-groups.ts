import { createIndexConcurrently } from '@rookery/database'
import type { Kysely } from 'kysely'

export const phase = 'expand'
export const isTransactional = false

export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Answers: which notifications are in this group, latest first?
  await createIndexConcurrently(db, {
    name: 'notification_in_group',
    on: 'notification (recipient_id, group_key, id desc) include (actor_id) where group_key is not null',
  })
  // Answers: which notifications stand alone, latest first?
  await createIndexConcurrently(db, {
    name: 'notification_ungrouped',
    on: 'notification (recipient_id, id desc) where group_key is null',
  })
}
