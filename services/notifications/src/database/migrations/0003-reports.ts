import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Notifications about reports. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table notification add column report_id bigint`.execute(db)
  await sql`alter table notification drop constraint notification_once`.execute(db)
  // Answers: was this person told of this already? And: what did this account tell this person?
  await sql`
    alter table notification
      add constraint notification_once unique nulls not distinct (recipient_id, actor_id, type, status_id, report_id)`.execute(db)
  await sql`drop index notification_inbox`.execute(db)
  // Answers: which notifications does this person have, newest first, of these types? It holds every column, so that rows which a
  // filter leaves out cost no visit to the table.
  await sql`
    create index notification_inbox on notification (recipient_id, id desc)
      include (type, actor_id, status_id, report_id, created_at)`.execute(db)
}
