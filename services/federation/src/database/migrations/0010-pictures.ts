import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Pictures of the server itself, one of each kind: small, and few, so that they need no storage of files. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table instance_picture (
      kind text primary key,
      content_type text not null,
      width integer not null,
      height integer not null,
      digest text not null,
      content bytea not null
    )`.execute(db)
}
