import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Domains that this server speaks with where it speaks with listed ones only; read by id and by domain. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table domain_allow (
      id bigint generated always as identity primary key,
      domain text not null constraint domain_allow_domain unique,
      created_at timestamptz not null
    )`.execute(db)
}
