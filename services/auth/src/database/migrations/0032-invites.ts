import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/** Links by which people sign up, and who came by whose. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`
    create table invite (
      id bigint primary key,
      code text not null,
      account_id bigint not null references login on delete cascade,
      max_uses int,
      uses int not null default 0,
      good_until timestamptz,
      autofollow boolean not null,
      created_at timestamptz not null
    )`.execute(db)
  // Answers: which invitation has this code?
  await sql`create unique index invite_code on invite (code)`.execute(db)
  // Answers: which invitations has this person made, and how many of them are good?
  await sql`create index invite_account on invite (account_id, good_until)`.execute(db)
  // Answers: which invitations are over since long?
  await sql`create index invite_over on invite (good_until)`.execute(db)
  // An invitee is forgotten with either of the two; the invitation itself is deleted earlier.
  await sql`
    create table invitee (
      account_id bigint primary key references login on delete cascade,
      inviter_id bigint not null references login on delete cascade,
      invite_id bigint not null,
      is_follow_due boolean not null
    )`.execute(db)
  // Answers: who came by invitations of this person, latest first?
  await sql`create index invitee_inviter on invitee (inviter_id, account_id)`.execute(db)
  await sql`alter table sign_up_attempt add column invite_id bigint`.execute(db)
}
