import { type Kysely, sql } from 'kysely'

export const phase = 'expand'

/**
 * Groups of notifications. Triggers keep them: rows come and go by several ways, each of many rows at once, and a group must agree with them
 * after each. Rows from before have no key and stand alone.
 */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table notification add column group_key text`.execute(db)
  await sql`
    create table notification_group (
      recipient_id bigint not null,
      group_key text not null,
      type text not null,
      status_id bigint,
      notifications_count bigint not null,
      latest_id bigint not null,
      latest_at timestamptz not null,
      primary key (recipient_id, group_key)
    )`.execute(db)
  // Answers: which groups does this person have, the one with the latest notification first?
  await sql`create index notification_group_latest on notification_group (recipient_id, latest_id desc) include (type)`.execute(db)
  await sql`
    create function add_to_notification_groups() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into notification_group (recipient_id, group_key, type, status_id, notifications_count, latest_id, latest_at)
      select recipient_id, group_key, min(type), min(status_id), count(*), max(id), max(created_at)
        from added where group_key is not null
       group by recipient_id, group_key
       order by recipient_id, group_key
      on conflict (recipient_id, group_key) do update set
        notifications_count = notification_group.notifications_count + excluded.notifications_count,
        latest_id = greatest(notification_group.latest_id, excluded.latest_id),
        latest_at = greatest(notification_group.latest_at, excluded.latest_at);
      return null;
    end $$`.execute(db)
  await sql`
    create function remove_from_notification_groups() returns trigger language plpgsql set search_path from current as $$
    begin
      perform 1 from notification_group g
        where (g.recipient_id, g.group_key) in (select recipient_id, group_key from removed where group_key is not null)
        order by g.recipient_id, g.group_key for update;
      update notification_group g
         set notifications_count = g.notifications_count - gone.count, latest_id = coalesce(latest.id, 0),
             latest_at = coalesce(latest.created_at, g.latest_at)
        from (select recipient_id, group_key, count(*) from removed where group_key is not null group by recipient_id, group_key) gone
        left join lateral (
          select n.id, n.created_at from notification n
           where n.recipient_id = gone.recipient_id and n.group_key = gone.group_key
           order by n.id desc limit 1
        ) latest on true
       where g.recipient_id = gone.recipient_id and g.group_key = gone.group_key;
      delete from notification_group g
       using (select distinct recipient_id, group_key from removed where group_key is not null) gone
       where g.recipient_id = gone.recipient_id and g.group_key = gone.group_key and g.notifications_count <= 0;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger notification_groups_added after insert on notification referencing new table as added
      for each statement execute function add_to_notification_groups()`.execute(db)
  await sql`
    create trigger notification_groups_removed after delete on notification referencing old table as removed
      for each statement execute function remove_from_notification_groups()`.execute(db)
}
