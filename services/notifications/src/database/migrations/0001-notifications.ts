import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table notification (
      id bigint generated always as identity primary key,
      recipient_id bigint not null,
      type text not null,
      actor_id bigint not null,
      status_id bigint,
      created_at timestamptz not null,
      -- Answers: was this person told of this already? And: what did this account tell this person?
      constraint notification_once unique nulls not distinct (recipient_id, actor_id, type, status_id)
    )`.execute(db)
  // Answers: which notifications does this person have, newest first, of these types? It holds every column, so that rows which a
  // filter leaves out cost no visit to the table.
  await sql`
    create index notification_inbox on notification (recipient_id, id desc) include (type, actor_id, status_id, created_at)`.execute(db)
  // Answers: who was told of this status?
  await sql`create index notification_status on notification (status_id) where status_id is not null`.execute(db)
  // Answers: who was told of anything by this account?
  await sql`create index notification_actor on notification (actor_id)`.execute(db)
}
