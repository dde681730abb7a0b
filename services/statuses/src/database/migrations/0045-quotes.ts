import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Which status quotes which, who may quote a status, and how many do. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  // quoted_id: null once what was quoted is deleted. state: pending, accepted, rejected, revoked, by the numbers of QuoteState.
  await sql`
    create table quote (
      status_id bigint primary key references status_head on delete cascade,
      quoted_id bigint references status_head on delete set null,
      state smallint not null
    )`.execute(db)
  // Answers: who quotes this status, latest first?
  await sql`create index quote_quoted on quote (quoted_id, status_id desc) where quoted_id is not null`.execute(db)
  // quote_policy: nobody, followers, public, by the numbers of QuotePolicy. quotes: by public and unlisted statuses.
  await sql`
    alter table status_head add column quotes integer not null default 0, add column quote_policy smallint not null default 1`.execute(db)
  await sql`alter table scheduled_status add column quoted_id bigint, add column quote_policy smallint`.execute(db)
}
