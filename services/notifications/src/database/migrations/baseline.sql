-- Answers: has this recipient this notification already? And: which notifications has this recipient from this account?
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
-- Answers: who was notified of this status?
create index notification_status on notification (status_id) where status_id is not null;
-- Answers: who has notifications from this account?
create index notification_actor on notification (actor_id);
-- Answers: which notifications does this person have, newest first, of these types? It holds every column, so that rows which a filter
-- leaves out cost no visit to the table.
create index notification_inbox on notification (recipient_id, id desc) include (type, actor_id, status_id, report_id, created_at);

-- Answers: how far did this person read this timeline?
create table marker (
  account_id bigint,
  timeline text,
  last_read_id bigint not null,
  version integer not null,
  updated_at timestamptz not null,
  primary key (account_id, timeline)
);
