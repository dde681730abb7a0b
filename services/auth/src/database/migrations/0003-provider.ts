import type { MigrationStep } from '@rookery/database'
import { sql } from 'kysely'

/** What oidc-provider keeps between requests (sessions, interactions, codes, grants), and the keys all replicas share. */
export const provider: MigrationStep = {
  phase: 'expand',
  async up(db) {
    await sql`
      create table oidc_artifact (
        model text not null,
        digest bytea not null,
        payload jsonb not null,
        grant_id text,
        uid text,
        consumed_at timestamptz,
        expires_at timestamptz not null,
        primary key (model, digest)
      )`.execute(db)
    // Answers: what else came of this approval?
    await sql`create index oidc_artifact_grant on oidc_artifact (grant_id) where grant_id is not null`.execute(db)
    // Answers: which session does this interaction belong to?
    await sql`create index oidc_artifact_uid on oidc_artifact (uid) where uid is not null`.execute(db)
    // Answers: what may be forgotten?
    await sql`create index oidc_artifact_expires on oidc_artifact (expires_at)`.execute(db)

    await sql`create table provider_key (name text primary key, value text not null)`.execute(db)
  },
}
