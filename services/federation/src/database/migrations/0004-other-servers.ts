import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** What a server needs among others: keys, actors of other servers, hosts, deliveries that wait, activities that were received. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  // Keys that no setting gives. name: encryption.
  await sql`
    create table server_key (
      name text primary key,
      value bytea not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  // account_id: of statuses; 0 is the server itself, without a username. The private key is encrypted.
  await sql`
    create table actor_key (
      account_id bigint primary key,
      username text not null,
      public_key_pem text not null,
      private_key bytea not null,
      created_at timestamptz not null
    )`.execute(db)
  await sql`
    create table remote_actor (
      uri text primary key,
      account_id bigint constraint remote_actor_account unique,
      domain text not null,
      handle_domain text not null,
      inbox text not null,
      shared_inbox text not null,
      followers_uri text not null,
      featured_uri text not null,
      outbox_uri text not null,
      key_id text not null,
      public_key_pem text not null,
      document text not null,
      fetched_at timestamptz not null,
      key_checked_at timestamptz,
      gone_at timestamptz,
      working_until timestamptz
    )`.execute(db)
  // Answers: whose key is this?
  await sql`create index remote_actor_key on remote_actor (key_id)`.execute(db)
  // Answers: who is on this server?
  await sql`create index remote_actor_domain on remote_actor (domain, uri)`.execute(db)
  await sql`
    create table host (
      domain text primary key,
      failures integer not null default 0,
      failing_since timestamptz,
      next_try_at timestamptz,
      signs text not null default 'cavage' check (signs in ('cavage', 'rfc9421')),
      sending_until timestamptz
    )`.execute(db)
  // Answers: which hosts fail?
  await sql`create index host_failing on host (failing_since, domain) where failing_since is not null`.execute(db)
  await sql`
    create table outbound_activity (
      id text primary key,
      sender_id bigint not null,
      payload bytea not null,
      created_at timestamptz not null
    )`.execute(db)
  // Answers: which payloads are old?
  await sql`create index outbound_activity_created on outbound_activity (created_at)`.execute(db)
  await sql`
    create table delivery (
      id bigint generated always as identity primary key,
      activity_id text not null references outbound_activity on delete cascade,
      inbox text not null,
      domain text not null,
      attempts integer not null default 0,
      created_at timestamptz not null,
      done_at timestamptz,
      result text check (result in ('delivered', 'refused', 'gone', 'expired', 'blocked', 'dropped')),
      constraint delivery_once unique (activity_id, inbox)
    )`.execute(db)
  // Answers: what waits for this host, in order?
  await sql`create index delivery_waiting on delivery (domain, id) where done_at is null`.execute(db)
  // actor_uri: who signed it. Another's activity may be forwarded, and what a forwarder claims keeps nothing of the author's own out.
  await sql`
    create table received_activity (
      sequence bigint generated always as identity primary key,
      id text not null,
      actor_uri text not null,
      inbox_of text not null,
      body text not null,
      received_at timestamptz not null,
      attempts integer not null default 0,
      next_try_at timestamptz,
      done_at timestamptz,
      failed_at timestamptz,
      error text,
      constraint received_activity_once unique (id, actor_uri)
    )`.execute(db)
  // Answers: what is there to do of this actor, in order?
  await sql`
    create index received_activity_waiting on received_activity (actor_uri, sequence) where done_at is null and failed_at is null`.execute(
    db,
  )
  // Answers: which ids are old enough to be forgotten?
  await sql`create index received_activity_received on received_activity (received_at)`.execute(db)
}
