import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Passkeys (WebAuthn), and the challenges that were answered, until they are too old to be answered again. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  // sign_count: how often the authenticator says it has signed; 0 where it does not count. public_key: as COSE.
  await sql`
    create table passkey (
      credential_id bytea primary key,
      account_id bigint not null references login on delete cascade,
      public_key bytea not null,
      sign_count bigint not null,
      transports text[] not null,
      name text not null,
      created_at timestamptz not null,
      last_used_at timestamptz
    )`.execute(db)
  // Answers: which passkeys does this person have?
  await sql`create index passkey_account on passkey (account_id)`.execute(db)
  await sql`
    create table answered_challenge (
      digest bytea primary key,
      expires_at timestamptz not null
    )`.execute(db)
  // Answers: which challenges may be forgotten?
  await sql`create index answered_challenge_expires on answered_challenge (expires_at)`.execute(db)
}
