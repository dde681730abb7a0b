import type { MigrationStep } from '@rookery/database'
import { sql } from 'kysely'

/** Apps and the tokens they hold. Secrets and tokens are kept as SHA-256 digests only. */
export const appsAndTokens: MigrationStep = {
  phase: 'expand',
  async up(db) {
    await sql`
      create table app (
        id bigint primary key,
        client_id text not null unique,
        secret_digest bytea not null,
        name text not null,
        website text not null,
        redirect_uris text[] not null,
        scopes text[] not null,
        is_operators boolean not null,
        created_at timestamptz not null
      )`.execute(db)
    // Answers: which app do the operator's tokens belong to? There is one.
    await sql`create unique index app_operators on app (is_operators) where is_operators`.execute(db)

    await sql`
      create table access_token (
        digest bytea primary key,
        id bigint not null,
        app_id bigint not null references app,
        account_id bigint references login on delete cascade,
        scopes text[] not null,
        grant_id text,
        created_at timestamptz not null,
        revoked_at timestamptz
      )`.execute(db)
    // Answers: which tokens does this person still have?
    await sql`create index access_token_account on access_token (account_id) where revoked_at is null`.execute(db)
    // Answers: which token came of this approval?
    await sql`create index access_token_grant on access_token (grant_id) where grant_id is not null`.execute(db)
  },
}
