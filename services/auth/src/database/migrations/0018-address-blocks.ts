import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Addresses of mail and of the network that staff keep from signing up, or out. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table email_domain_block (
      id bigint generated always as identity primary key,
      -- Answers: is one of these domains blocked?
      domain text not null constraint email_domain_block_domain unique,
      created_at timestamptz not null
    )`.execute(db)
  await sql`
    create table email_domain_block_use (
      block_id bigint not null references email_domain_block on delete cascade,
      day date not null,
      address text not null,
      uses integer not null default 1,
      primary key (block_id, day, address)
    )`.execute(db)
  await sql`create index email_domain_block_use_day on email_domain_block_use (day)`.execute(db)
  await sql`
    create table ip_block (
      id bigint generated always as identity primary key,
      network cidr not null constraint ip_block_network unique,
      severity text not null check (severity in ('sign_up_requires_approval', 'sign_up_block', 'no_access')),
      comment text not null default '',
      created_at timestamptz not null,
      expires_at timestamptz
    )`.execute(db)
  // Answers: which blocks hold for this address?
  await sql`create index ip_block_holding on ip_block using gist (network inet_ops)`.execute(db)
  // Answers: which networks have no access?
  await sql`create index ip_block_severity on ip_block (severity, id)`.execute(db)
  await sql`
    create table canonical_email_block (
      id bigint generated always as identity primary key,
      hash text not null constraint canonical_email_block_hash unique
    )`.execute(db)
}
