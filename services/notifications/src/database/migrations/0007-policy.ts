import { createIndexConcurrently, type MigrationStep } from '@rookery/database'
import { sql } from 'kysely'

/** What becomes of notifications by their senders: policies, accounts that pass regardless, and requests of those held back. */
export const policy: MigrationStep = {
  phase: 'expand',
  async up(db) {
    await sql`alter table notification add column filtered boolean not null default false`.execute(db)
    // Each column: accept, filter or drop.
    await sql`
      create table notification_policy (
        account_id bigint primary key,
        for_not_following text not null,
        for_not_followers text not null,
        for_new_accounts text not null,
        for_private_mentions text not null,
        for_limited_accounts text not null
      )`.execute(db)
    // Accounts that pass regardless of the policy. is_merged: nothing of theirs is still held back.
    await sql`
      create table notification_permission (
        recipient_id bigint not null,
        actor_id bigint not null,
        is_merged boolean not null,
        primary key (recipient_id, actor_id)
      )`.execute(db)
    // Answers: of which accounts is something still held back, though this person accepted them?
    await sql`create index notification_permission_unmerged on notification_permission (recipient_id, actor_id) where not is_merged`.execute(
      db,
    )
    // Answers: who lets this account pass?
    await sql`create index notification_permission_actor on notification_permission (actor_id)`.execute(db)
    // The id is that of the notification which opened the request; it holds the mentions from that one on.
    await sql`
      create table notification_request (
        id bigint primary key,
        recipient_id bigint not null,
        actor_id bigint not null,
        created_at timestamptz not null,
        constraint notification_request_once unique (recipient_id, actor_id)
      )`.execute(db)
    // Answers: which requests does this person have, newest first?
    await sql`create index notification_request_inbox on notification_request (recipient_id, id desc)`.execute(db)
    // What was held back stood alone, and joins its group when it appears.
    await sql`
      create function join_notification_groups() returns trigger language plpgsql set search_path from current as $$
      begin
        insert into notification_group (recipient_id, group_key, type, status_id, notifications_count, latest_id, latest_at)
        select now.recipient_id, now.group_key, min(now.type), min(now.status_id), count(*), max(now.id), max(now.created_at)
          from changed now join unchanged was on was.id = now.id
         where now.group_key is not null and was.group_key is null
         group by now.recipient_id, now.group_key
         order by now.recipient_id, now.group_key
        on conflict (recipient_id, group_key) do update set
          notifications_count = notification_group.notifications_count + excluded.notifications_count,
          latest_id = greatest(notification_group.latest_id, excluded.latest_id),
          latest_at = greatest(notification_group.latest_at, excluded.latest_at);
        return null;
      end $$`.execute(db)
    await sql`
      create trigger notification_groups_joined after update on notification referencing new table as changed old table as unchanged
        for each statement execute function join_notification_groups()`.execute(db)
  },
}

export const indexesOfFiltered: MigrationStep = {
  phase: 'expand',
  isTransactional: false,
  async up(db) {
    // Answers: which notifications does this person see, newest first, of these types? It holds every column, so that rows which a
    // filter leaves out cost no visit to the table.
    await createIndexConcurrently(db, {
      name: 'notification_shown',
      on: 'notification (recipient_id, id desc) include (type, actor_id, status_id, report_id, created_at) where not filtered',
    })
    // Answers: which notifications stand alone and are not held back, latest first?
    await createIndexConcurrently(db, {
      name: 'notification_shown_alone',
      on: 'notification (recipient_id, id desc) where group_key is null and not filtered',
    })
    // Answers: what of this account is held back from this person, and which mentions since when?
    await createIndexConcurrently(db, {
      name: 'notification_filtered',
      on: 'notification (recipient_id, actor_id, type, id desc) include (status_id, created_at) where filtered',
    })
  },
}
