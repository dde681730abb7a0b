create sequence tag_id_seq;

create table account (
  id bigint primary key,
  version integer not null default 1,
  context_version integer not null default 1,
  username text not null,
  is_active boolean not null,
  display_name text not null default '',
  note text not null default '',
  note_html text not null default '',
  fields jsonb not null default '[]',
  avatar_url text not null default '',
  avatar_static_url text not null default '',
  header_url text not null default '',
  header_static_url text not null default '',
  locked boolean not null default false,
  bot boolean not null default false,
  discoverable boolean,
  indexable boolean not null default false,
  hide_collections boolean,
  default_privacy smallint,
  default_sensitive boolean not null default false,
  default_language text,
  created_at timestamptz not null,
  last_status_on date,
  statuses_count integer not null default 0,
  followers_count integer not null default 0,
  following_count integer not null default 0,
  follow_requests_count integer not null default 0,
  emojis jsonb not null default '[]',
  closed_at timestamptz,
  role text not null default '',
  avatar_media_id bigint,
  header_media_id bigint,
  default_quote_policy text,
  attribution_domains text[] not null default '{}',
  locale text,
  is_silenced boolean not null default false,
  is_suspended boolean not null default false,
  is_memorial boolean not null default false,
  moved_to_id bigint references account on delete set null,
  show_media boolean not null default true,
  show_media_replies boolean not null default true,
  show_featured boolean not null default true,
  last_status_id bigint not null default 0
) with (fillfactor = 70);
create unique index account_username on account (lower(username));
create index account_search on account using gin (((((' ' || lower(username)) || ' ') || lower(display_name))) extensions.gin_trgm_ops);
create index account_closed on account (closed_at) where closed_at is not null;
create index account_directory_new on account (id desc) where discoverable and is_active;
create index account_directory_active on account (last_status_on desc nulls last, id desc) where discoverable and is_active;
create index account_role on account (role) where role <> '';
create index account_not_listed on account (id) where is_silenced or is_suspended;
create index account_handle on account (lower(username) text_pattern_ops) where is_active;
create index account_moved on account (moved_to_id) where moved_to_id is not null;

create table status_head (
  id bigint primary key,
  version integer not null default 1,
  author_id bigint not null,
  visibility smallint not null,
  reblog_of_id bigint,
  is_listed boolean not null,
  is_reply_to_other boolean not null,
  has_media boolean not null,
  replies integer not null default 0,
  reblogs integer not null default 0,
  favourites integer not null default 0,
  thread_id bigint not null
) with (fillfactor = 75);
create index status_head_author on status_head (author_id, id desc);
create index status_head_listed on status_head (id desc) where is_listed;
create index status_head_listed_media on status_head (id desc) where is_listed and has_media;
create unique index status_head_reblog on status_head (reblog_of_id, author_id) where reblog_of_id is not null;
create index status_head_boosts on status_head (reblog_of_id, id desc) where reblog_of_id is not null;

create table status (
  id bigint primary key references status_head on delete cascade,
  author_id bigint not null,
  text text not null,
  spoiler_text text not null,
  sensitive boolean not null,
  language text,
  content text not null,
  in_reply_to_id bigint,
  in_reply_to_account_id bigint,
  created_at timestamptz not null,
  edited_at timestamptz,
  application_name text,
  application_website text,
  mentions jsonb not null default '[]',
  tags text[] not null default '{}',
  attachments jsonb not null default '[]',
  search tsvector not null generated always as (to_tsvector('simple'::regconfig, (spoiler_text || ' '::text) || text) || to_tsvector('simple'::regconfig, jsonb_path_query_array(attachments, '$[*]."description"'::jsonpath))) stored,
  emojis jsonb not null default '[]'
);
create index status_in_reply_to on status (in_reply_to_id, id) where in_reply_to_id is not null;
create index status_search on status using gin (search);

create table mention (
  status_id bigint references status_head on delete cascade,
  account_id bigint,
  primary key (status_id, account_id)
);
create index mention_account on mention (account_id, status_id desc);

create table tag (
  name text primary key,
  display text not null,
  created_at timestamptz not null,
  id bigint default nextval('tag_id_seq')
);
alter sequence tag_id_seq owned by tag.id;
create index tag_prefix on tag (name text_pattern_ops);

create table status_tag (
  name text,
  status_id bigint references status_head on delete cascade,
  author_id bigint not null,
  is_open boolean not null,
  primary key (name, status_id)
);
create index status_tag_status on status_tag (status_id);
create index status_tag_author on status_tag (author_id, name, status_id) where is_open;

create table favourite (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  status_id bigint not null references status_head on delete cascade
);
create unique index favourite_once on favourite (account_id, status_id);
create index favourite_account on favourite (account_id, id desc);
create index favourite_status on favourite (status_id, id desc);

create table bookmark (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  status_id bigint not null references status_head on delete cascade
);
create unique index bookmark_once on bookmark (account_id, status_id);
create index bookmark_account on bookmark (account_id, id desc);
create index bookmark_status on bookmark (status_id, id desc);

create table follow (
  id bigint generated always as identity,
  account_id bigint references account on delete cascade,
  target_id bigint references account on delete cascade,
  reblogs boolean not null,
  notify boolean not null,
  languages text[],
  created_at timestamptz not null,
  constraint follow_once primary key (account_id, target_id)
);
create index follow_account on follow (account_id, id desc);
create index follow_target on follow (target_id, account_id);
create index follow_target_recent on follow (target_id, id desc);
create index follow_notify on follow (target_id, account_id) where notify;

create table follow_request (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  target_id bigint not null references account on delete cascade,
  reblogs boolean not null,
  notify boolean not null,
  languages text[],
  created_at timestamptz not null
);
create unique index follow_request_once on follow_request (account_id, target_id);
create index follow_request_target on follow_request (target_id, id desc);

create table block (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  target_id bigint not null references account on delete cascade,
  created_at timestamptz not null
);
create unique index block_once on block (account_id, target_id);
create index block_target on block (target_id, account_id);
create index block_account on block (account_id, id desc);

create table mute (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  target_id bigint not null references account on delete cascade,
  notifications boolean not null,
  expires_at timestamptz,
  created_at timestamptz not null
);
create unique index mute_once on mute (account_id, target_id);
create index mute_target on mute (target_id, account_id);
create index mute_expiry on mute (expires_at) where expires_at is not null;
create index mute_account on mute (account_id, id desc);

create table feed (
  account_id bigint,
  status_id bigint,
  reblog_of_id bigint,
  primary key (account_id, status_id)
);

create table idempotency_key (
  account_id bigint,
  key text,
  status_id bigint not null,
  created_at timestamptz not null,
  is_scheduled boolean not null default false,
  primary key (account_id, key)
);
create index idempotency_key_age on idempotency_key (created_at);
create index idempotency_key_status on idempotency_key (status_id);

create table status_revision (
  id bigint generated always as identity primary key,
  status_id bigint not null references status_head on delete cascade,
  content text not null,
  spoiler_text text not null,
  sensitive boolean not null,
  attachments jsonb not null,
  created_at timestamptz not null,
  poll_options text[] not null default '{}',
  emojis jsonb not null default '[]'
);
create index status_revision_status on status_revision (status_id, id);

create table pin (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  status_id bigint not null references status_head on delete cascade
);
create unique index pin_once on pin (account_id, status_id);
create index pin_account on pin (account_id, id desc);
create index pin_status on pin (status_id);

create table conversation (
  id bigint generated always as identity primary key,
  owner_id bigint not null references account on delete cascade,
  thread_id bigint not null,
  participants bigint[] not null,
  last_status_id bigint not null,
  is_unread boolean not null,
  is_hidden boolean not null default false
);
create unique index conversation_once on conversation (owner_id, thread_id, participants);
create index conversation_owner on conversation (owner_id, last_status_id desc) where not is_hidden;

create table conversation_status (
  conversation_id bigint references conversation on delete cascade,
  status_id bigint references status_head on delete cascade,
  primary key (conversation_id, status_id)
);
create index conversation_status_status on conversation_status (status_id);

create table poll (
  status_id bigint primary key references status_head on delete cascade,
  expires_at timestamptz not null,
  is_multiple boolean not null,
  hides_totals boolean not null,
  options text[] not null,
  votes integer[] not null,
  voters integer not null default 0,
  closed_at timestamptz
);

create table poll_vote (
  status_id bigint references poll on delete cascade,
  account_id bigint references account on delete cascade,
  choices integer[] not null,
  created_at timestamptz not null,
  primary key (account_id, status_id)
);
create index poll_vote_status on poll_vote (status_id);

create table custom_emoji (
  shortcode text primary key,
  category text,
  url text not null,
  static_url text not null,
  visible_in_picker boolean not null default true,
  created_at timestamptz not null
);

create table list (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  title text not null,
  replies_policy text not null,
  is_exclusive boolean not null,
  created_at timestamptz not null
);
create index list_account on list (account_id, id);

create table list_member (
  id bigint generated always as identity primary key,
  list_id bigint not null references list on delete cascade,
  account_id bigint not null references account on delete cascade
);
create unique index list_member_once on list_member (list_id, account_id);
create index list_member_list on list_member (list_id, id desc);
create index list_member_account on list_member (account_id, list_id);

create table tag_follow (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  name text not null references tag,
  created_at timestamptz not null
);
create unique index tag_follow_once on tag_follow (account_id, name);
create index tag_follow_account on tag_follow (account_id, id desc);
create index tag_follow_name on tag_follow (name, account_id);

create table home (
  account_id bigint primary key references account on delete cascade,
  floor_id bigint not null default 0,
  is_resting boolean not null default false,
  read_on date not null,
  compared_at timestamptz
);
create index home_read on home (read_on) where not is_resting;
create index home_compared on home (compared_at nulls first, account_id) where not is_resting;

create table scheduled_status (
  id bigint primary key,
  version integer not null default 1,
  account_id bigint not null references account on delete cascade,
  scheduled_at timestamptz,
  text text not null,
  spoiler_text text not null,
  sensitive boolean,
  visibility smallint not null,
  language text not null,
  in_reply_to_id bigint,
  poll jsonb,
  attachments jsonb not null,
  application_id bigint,
  application_name text,
  application_website text,
  created_at timestamptz not null,
  missed_at timestamptz
);
create index scheduled_status_account on scheduled_status (account_id, id desc) where scheduled_at is not null;
create index scheduled_status_drafts on scheduled_status (account_id, id desc) where scheduled_at is null;
create index scheduled_status_due on scheduled_status (scheduled_at, id) where scheduled_at is not null;
create index scheduled_status_of_account on scheduled_status (account_id, id desc);

create table preview_card (
  digest text primary key,
  url text not null,
  round integer not null default 0,
  failures smallint not null default 0,
  asked_at timestamptz not null,
  due_at timestamptz not null,
  card jsonb,
  picture_subject_id bigint
);
create index preview_card_due on preview_card (due_at) where round = 0 or failures > 0;
create index preview_card_asked on preview_card (asked_at);

create table status_card (
  status_id bigint primary key references status_head on delete cascade,
  digest text not null references preview_card,
  url text not null
);
create index status_card_shown on status_card (digest, status_id);

create table thread_mute (
  account_id bigint references account on delete cascade,
  thread_id bigint,
  primary key (account_id, thread_id)
);

create table filter (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  title text not null,
  contexts text[] not null,
  action text not null,
  expires_at timestamptz
);
create index filter_account on filter (account_id, id);

create table filter_keyword (
  id bigint generated always as identity primary key,
  filter_id bigint not null references filter on delete cascade,
  keyword text not null,
  whole_word boolean not null
);
create index filter_keyword_filter on filter_keyword (filter_id, id);

create table filter_status (
  id bigint generated always as identity primary key,
  filter_id bigint not null references filter on delete cascade,
  status_id bigint not null references status_head on delete cascade
);
create unique index filter_status_once on filter_status (filter_id, status_id);
create index filter_status_status on filter_status (status_id);

create table reserved_username (
  username text primary key
);

create table account_note (
  account_id bigint references account on delete cascade,
  target_id bigint references account on delete cascade,
  comment text not null,
  primary key (account_id, target_id)
);
create index account_note_target on account_note (target_id);

create table endorsement (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  target_id bigint not null references account on delete cascade,
  created_at timestamptz not null
);
create unique index endorsement_once on endorsement (account_id, target_id);
create index endorsement_account on endorsement (account_id, id desc);
create index endorsement_target on endorsement (target_id);

create table domain_block (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  domain text not null,
  created_at timestamptz not null
);
create unique index domain_block_once on domain_block (account_id, domain);
create index domain_block_account on domain_block (account_id, id desc);

create table staff_pick (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade unique,
  created_at timestamptz not null
);

create table suggestion_dismissal (
  account_id bigint references account on delete cascade,
  target_id bigint references account on delete cascade,
  primary key (account_id, target_id)
);
create index suggestion_dismissal_target on suggestion_dismissal (target_id);

create table report (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  target_id bigint not null references account on delete cascade,
  category text not null,
  comment text not null,
  status_ids bigint[] not null,
  rule_ids text[] not null,
  created_at timestamptz not null,
  action_taken_at timestamptz
);
create index report_open on report (id desc) where action_taken_at is null;
create index report_account on report (account_id);
create index report_target on report (target_id);

create table featured_tag (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  name text not null references tag,
  display text not null,
  created_at timestamptz not null
);
create unique index featured_tag_once on featured_tag (account_id, name);

create table account_alias (
  account_id bigint references account on delete cascade,
  alias_id bigint references account on delete cascade,
  primary key (account_id, alias_id)
);
create index account_alias_named on account_alias (alias_id);

create table statuses_migration (
  name varchar(255) primary key,
  timestamp varchar(255) not null,
  phase text not null default 'expand',
  after text
);
insert into statuses_migration (name, timestamp) values
  ('0001-people-and-statuses', '2026-11-22T00:00:00.000Z'),
  ('0002-edits-and-pins', '2026-11-22T00:00:00.000Z'),
  ('0003-conversations', '2026-11-22T00:00:00.000Z'),
  ('0004-search', '2026-11-22T00:00:00.000Z'),
  ('0005-polls', '2026-11-22T00:00:00.000Z'),
  ('0006-emojis', '2026-11-22T00:00:00.000Z'),
  ('0007-emojis-of-texts', '2026-11-22T00:00:00.000Z'),
  ('0008-lists-and-tags', '2026-11-22T00:00:00.000Z'),
  ('0010-feeds', '2026-11-22T00:00:00.000Z'),
  ('0011-scheduled', '2026-11-22T00:00:00.000Z'),
  ('0012-cards', '2026-11-22T00:00:00.000Z'),
  ('0013-threads', '2026-11-22T00:00:00.000Z'),
  ('0014-filters', '2026-11-22T00:00:00.000Z'),
  ('0015-account-life', '2026-11-22T00:00:00.000Z'),
  ('0016-graph', '2026-11-22T00:00:00.000Z'),
  ('0017-profiles', '2026-11-22T00:00:00.000Z'),
  ('0018-reports', '2026-11-22T00:00:00.000Z'),
  ('0021-standing-and-locale', '2026-11-22T00:00:00.000Z'),
  ('0022-featured-tags', '2026-11-22T00:00:00.000Z'),
  ('0023-finding', '2026-11-22T00:00:00.000Z'),
  ('0024-told-of-posts', '2026-11-22T00:00:00.000Z'),
  ('0025-moved-and-remembered', '2026-11-22T00:00:00.000Z'),
  ('0026-parts-of-profiles', '2026-11-22T00:00:00.000Z'),
  ('0027-cards-of-many', '2026-11-22T00:00:00.000Z'),
  ('0028-tag-ids', '2026-11-22T00:00:00.000Z'),
  ('0029-ids-of-known-tags', '2026-11-22T00:00:00.000Z'),
  ('0030-posting-order', '2026-11-22T00:00:00.000Z'),
  ('0031-missed-times', '2026-11-22T00:00:00.000Z'),
  ('0032-scheduled-of-account', '2026-11-22T00:00:00.000Z'),
  ('0033-boosts-of-a-status', '2026-11-22T00:00:00.000Z');
