create table notification (
  id bigint generated always as identity primary key,
  recipient_id bigint not null,
  type text not null,
  actor_id bigint not null,
  status_id bigint,
  created_at timestamptz not null,
  report_id bigint,
  constraint notification_once unique NULLS NOT DISTINCT (recipient_id, actor_id, type, status_id, report_id)
);
create index notification_status on notification (status_id) where status_id is not null;
create index notification_actor on notification (actor_id);
create index notification_inbox on notification (recipient_id, id desc) include (type, actor_id, status_id, report_id, created_at);

create table marker (
  account_id bigint,
  timeline text,
  last_read_id bigint not null,
  version integer not null,
  updated_at timestamptz not null,
  primary key (account_id, timeline)
);

create table notifications_migration (
  name varchar(255) primary key,
  timestamp varchar(255) not null,
  phase text not null default 'expand',
  after text
);
insert into notifications_migration (name, timestamp) values
  ('0001-notifications', '2026-11-22T00:00:00.000Z'),
  ('0002-markers', '2026-11-22T00:00:00.000Z'),
  ('0003-reports', '2026-11-22T00:00:00.000Z');
