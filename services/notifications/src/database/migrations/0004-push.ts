import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Web Push: who is pushed to, and the keys that this server signs and encrypts with. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  // access_token is encrypted. server_key: the VAPID public key that the client subscribed with.
  await sql`
    create table push_subscription (
      id bigint generated always as identity primary key,
      token_id bigint not null unique,
      account_id bigint not null,
      endpoint text not null,
      p256dh text not null,
      auth text not null,
      standard boolean not null,
      alerts jsonb not null,
      policy text not null,
      access_token bytea not null,
      server_key text not null,
      is_paused boolean not null default false,
      created_at timestamptz not null
    )`.execute(db)
  // Answers: which devices does this person want to be alerted on?
  await sql`create index push_subscription_account on push_subscription (account_id)`.execute(db)
  // Keys that no setting gives. name: encryption, or vapid with the public key behind a colon.
  await sql`
    create table server_key (
      name text primary key,
      value bytea not null,
      created_at timestamptz not null default now()
    )`.execute(db)
}
