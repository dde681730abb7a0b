import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/**
 * Second factors and recovery codes. While someone has a second factor, their password hash ends in one more character, which makes it a hash
 * of another length: a version that does not ask for the second factor finds every password wrong. The trigger keeps that true where such a
 * version sets a new password (docs/decisions/0033).
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  // last_step: the last interval of a code that was taken. A code of it, or of one before, is not taken again.
  await sql`
    create table second_factor (
      account_id bigint primary key references login on delete cascade,
      secret bytea not null,
      last_step bigint not null,
      enabled_at timestamptz not null
    )`.execute(db)
  // Answers by its key: is this a recovery code of theirs, and how many are left?
  await sql`
    create table recovery_code (
      account_id bigint not null references second_factor on delete cascade,
      digest bytea not null,
      primary key (account_id, digest)
    )`.execute(db)
  await sql`
    create function lock_passwords() returns trigger language plpgsql set search_path from current as $$
    begin
      if pg_trigger_depth() > 1 then return null; end if;
      update login set password_hash = password_hash || '2'
        from second_factor factor
       where factor.account_id = login.account_id and login.password_hash ~ '[$][A-Za-z0-9+/]{43}$';
      return null;
    end $$`.execute(db)
  await sql`
    create trigger login_passwords_locked after update of password_hash on login for each statement execute function lock_passwords()`.execute(
    db,
  )
}
