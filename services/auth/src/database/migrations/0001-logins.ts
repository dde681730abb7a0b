import type { MigrationStep } from '@rookery/database'
import { sql } from 'kysely'

/** Logins, sign-ups under way and links that confirm addresses. */
export const logins: MigrationStep = {
  phase: 'expand',
  async up(db) {
    await sql`
      create table login (
        account_id bigint primary key,
        email text not null,
        password_hash text not null,
        role text not null check (role in ('user', 'moderator', 'admin', 'owner')),
        locale text not null,
        reason text not null,
        sign_up_address text not null,
        sign_up_app_id bigint,
        created_at timestamptz not null,
        confirmed_at timestamptz,
        approved_at timestamptz,
        disabled_at timestamptz,
        last_sign_in_at timestamptz
      )`.execute(db)
    // Answers: whose address is this? Refuses a second login with it.
    await sql`create unique index login_email on login (lower(email))`.execute(db)
    // Answers: how many registered in each week?
    await sql`create index login_created on login (created_at)`.execute(db)

    // Answers by its key: how many people signed in, in each week?
    await sql`
      create table sign_in_week (
        week date not null,
        account_id bigint not null references login on delete cascade,
        primary key (week, account_id)
      )`.execute(db)

    await sql`
      create table sign_up_attempt (
        account_id bigint primary key,
        username text not null,
        email text not null,
        password_hash text not null,
        role text not null,
        locale text not null,
        reason text not null,
        address text not null,
        app_id bigint,
        is_confirmed boolean not null,
        is_approved boolean not null,
        created_at timestamptz not null
      )`.execute(db)
    // Answers: did this person's earlier try stop half-way?
    await sql`create index sign_up_attempt_email on sign_up_attempt (lower(email))`.execute(db)

    await sql`
      create table confirmation_token (
        digest bytea primary key,
        account_id bigint not null references login on delete cascade,
        email text not null,
        expires_at timestamptz not null
      )`.execute(db)
    // Answers: which links may be forgotten?
    await sql`create index confirmation_token_expires on confirmation_token (expires_at)`.execute(db)
  },
}
