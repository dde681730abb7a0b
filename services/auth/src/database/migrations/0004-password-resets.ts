import type { MigrationStep } from '@rookery/database'
import { sql } from 'kysely'

/** Links that set a new password, and whose a session, code or approval of the provider is. */
export const passwordResets: MigrationStep = {
  phase: 'expand',
  async up(db) {
    await sql`
      create table password_reset (
        digest bytea primary key,
        account_id bigint not null references login on delete cascade,
        expires_at timestamptz not null
      )`.execute(db)
    // Answers: which links may be forgotten, and which does this person have?
    await sql`create index password_reset_expires on password_reset (expires_at)`.execute(db)
    await sql`create index password_reset_account on password_reset (account_id)`.execute(db)

    await sql`alter table oidc_artifact add column account_id bigint`.execute(db)
    await sql`update oidc_artifact set account_id = coalesce(payload->>'accountId', payload->'session'->>'accountId')::bigint`.execute(db)
    // Answers: where is this person signed in, and on the way to which apps?
    await sql`create index oidc_artifact_account on oidc_artifact (account_id) where account_id is not null`.execute(db)
  },
}
