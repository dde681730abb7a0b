create sequence tag_id_seq;

-- Counters and versions change with every post and follow: room on the page keeps those updates in place.
-- role: moderator, admin or owner; empty for everyone else. locale: of the pages they signed up with.
-- last_status_id: the highest id of a status that the account has published: the next one is above it.
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
-- Answers: whose handle is this? Which handles are taken?
create unique index account_username on account (lower(username));
-- Answers: whose handle or name holds this text?
create index account_search on account 
  using gin ((' ' || lower(username) || ' ' || lower(display_name)) extensions.gin_trgm_ops);
-- Answers: which accounts are still to be removed?
create index account_closed on account (closed_at) where closed_at is not null;
-- Answers: who of those that want to be found came last? And: who posted on the latest days? A day changes once a day, so that most posts
-- still update their author in place.
create index account_directory_new on account (id desc) where discoverable and is_active;
create index account_directory_active on account (last_status_on desc nulls last, id desc) where discoverable and is_active;
-- Answers: who may read reports?
create index account_role on account (role) where role <> '';
-- Answers: whom do public pages leave out?
create index account_not_listed on account (id) where is_silenced or is_suspended;
-- Answers: whose handle begins like this?
create index account_handle on account (lower(username) text_pattern_ops) where is_active;
-- Answers: who moved to the account that is being removed?
create index account_moved on account (moved_to_id) where moved_to_id is not null;

-- What pages need of a status, narrow and apart from its text. visibility: 1 public, 2 unlisted, 3 private, 4 direct. The id outlives the
-- status it is of: what answered a deleted status stays one thread. A boost is in the thread of what it boosts.
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
-- Answers: what did this person post, newest first?
create index status_head_author on status_head (author_id, id desc);
-- Answers: what is on the public timeline, newest first? And with media only?
create index status_head_listed on status_head (id desc) where is_listed;
create index status_head_listed_media on status_head (id desc) where is_listed and has_media;
-- Answers: who boosted this, and has this person boosted it already?
create unique index status_head_reblog on status_head (reblog_of_id, author_id) where reblog_of_id is not null;
-- Answers: who boosted this status, latest first?
create index status_head_boosts on status_head (reblog_of_id, id desc) where reblog_of_id is not null;

-- The words of a status: its text, its warning and what its files show. No language is assumed.
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
  search tsvector not null generated always as (
    to_tsvector('simple'::regconfig, spoiler_text || ' ' || text)
    || to_tsvector('simple'::regconfig, jsonb_path_query_array(attachments, '$[*].description'))) stored,
  emojis jsonb not null default '[]'
);
-- Answers: what replies to this status?
create index status_in_reply_to on status (in_reply_to_id, id) where in_reply_to_id is not null;
-- Answers: which statuses hold these words?
create index status_search on status using gin (search);

create table mention (
  status_id bigint references status_head on delete cascade,
  account_id bigint,
  primary key (status_id, account_id)
);
-- Answers: which statuses mention this person?
create index mention_account on mention (account_id, status_id desc);

create table tag (
  name text primary key,
  display text not null,
  created_at timestamptz not null,
  id bigint default nextval('tag_id_seq')
);
alter sequence tag_id_seq owned by tag.id;
-- Answers: which tags begin like this?
create index tag_prefix on tag (name text_pattern_ops);

-- Answers: which public statuses carry this tag, newest first? is_open: the status is public or unlisted, which never changes.
create table status_tag (
  name text,
  status_id bigint references status_head on delete cascade,
  author_id bigint not null,
  is_open boolean not null,
  primary key (name, status_id)
);
-- Answers: which tags go when this status goes?
create index status_tag_status on status_tag (status_id);
-- Answers: how much did this person say under this tag where others may see, and when last? It holds all that is asked.
create index status_tag_author on status_tag (author_id, name, status_id) where is_open;

create table favourite (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  status_id bigint not null references status_head on delete cascade
);
-- Answers: has this person favourited these?
create unique index favourite_once on favourite (account_id, status_id);
-- Answers: what has this person favourited, latest first?
create index favourite_account on favourite (account_id, id desc);
-- Answers: who favourited this, latest first?
create index favourite_status on favourite (status_id, id desc);

create table bookmark (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  status_id bigint not null references status_head on delete cascade
);
-- Answers: has this person bookmarked these?
create unique index bookmark_once on bookmark (account_id, status_id);
-- Answers: what has this person bookmarked, latest first?
create index bookmark_account on bookmark (account_id, id desc);
-- Answers: who bookmarked this, latest first?
create index bookmark_status on bookmark (status_id, id desc);

-- Answers: who did it to this status, newest first? The pair is what a follow is. Its number stays for paging, by indexes that begin with
-- a person: one over the number alone tempts the planner to read everybody's follows for the followers of whom many follow.
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
-- Answers: whom does this person follow, latest first?
create index follow_account on follow (account_id, id desc);
-- Answers: who follows this person — in order of followers for fan-out, newest first for the list?
create index follow_target on follow (target_id, account_id);
-- Answers: who follows this person, latest first?
create index follow_target_recent on follow (target_id, id desc);
-- Answers: which followers of this account asked for notifications of its posts? Few did, of however many.
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
-- Answers: has this person asked that one already?
create unique index follow_request_once on follow_request (account_id, target_id);
-- Answers: who asks to follow this person, newest first?
create index follow_request_target on follow_request (target_id, id desc);

create table block (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  target_id bigint not null references account on delete cascade,
  created_at timestamptz not null
);
-- Answers: does this person block that one?
create unique index block_once on block (account_id, target_id);
-- Answers: who blocks this person?
create index block_target on block (target_id, account_id);
-- Answers: whom does this person block or mute, latest first?
create index block_account on block (account_id, id desc);

create table mute (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  target_id bigint not null references account on delete cascade,
  notifications boolean not null,
  expires_at timestamptz,
  created_at timestamptz not null
);
-- Answers: does this person mute that one?
create unique index mute_once on mute (account_id, target_id);
-- Answers: who mutes this person?
create index mute_target on mute (target_id, account_id);
-- Answers: which mutes have run out?
create index mute_expiry on mute (expires_at) where expires_at is not null;
create index mute_account on mute (account_id, id desc);

-- Answers: what is in this person's home, newest first? The only index: every post writes here once a follower.
create table feed (
  account_id bigint,
  status_id bigint,
  reblog_of_id bigint,
  primary key (account_id, status_id)
);

-- Answers: which status did this key make? The row reserves the status's id before anything else is done. The key made a scheduled
-- status: status_id is that one's, until it is published.
create table idempotency_key (
  account_id bigint,
  key text,
  status_id bigint not null,
  created_at timestamptz not null,
  is_scheduled boolean not null default false,
  primary key (account_id, key)
);
-- Answers: which keys are over an hour old? And: which key made this status?
create index idempotency_key_age on idempotency_key (created_at);
-- Answers: which key reserved this id?
create index idempotency_key_status on idempotency_key (status_id);

-- A status that was never edited has no rows; the first edit keeps the original beside the new text.
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
-- Answers: what was this status, oldest first?
create index status_revision_status on status_revision (status_id, id);

create table pin (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  status_id bigint not null references status_head on delete cascade
);
-- Answers: what did this person pin, latest first? And: is this pinned?
create unique index pin_once on pin (account_id, status_id);
-- Answers: what did this person pin, latest first?
create index pin_account on pin (account_id, id desc);
-- Answers: which pins go when this status goes?
create index pin_status on pin (status_id);

-- participants: everybody taking part, the owner too, in order of their ids. last_status_id outlives its status when there is no earlier
-- one: the conversation keeps its place.
create table conversation (
  id bigint generated always as identity primary key,
  owner_id bigint not null references account on delete cascade,
  thread_id bigint not null,
  participants bigint[] not null,
  last_status_id bigint not null,
  is_unread boolean not null,
  is_hidden boolean not null default false
);
-- Answers: has this person a conversation of this thread with these people already? A status has room for some 170 mentions, an entry of
-- the index for twice as many ids.
create unique index conversation_once on conversation (owner_id, thread_id, participants);
-- Answers: which conversations has this person, latest status first? And: which of them end with this status?
create index conversation_owner on conversation (owner_id, last_status_id desc) where not is_hidden;

-- Answers: what was said in this conversation before, as far as its owner was to hear of it?
create table conversation_status (
  conversation_id bigint references conversation on delete cascade,
  status_id bigint references status_head on delete cascade,
  primary key (conversation_id, status_id)
);
-- Answers: which conversations lose this status when it goes?
create index conversation_status_status on conversation_status (status_id);

-- Counts stand beside the options: votes[i] is of options[i]. closed_at: the end of the poll was notified.
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

-- A person votes once, with all their choices.
create table poll_vote (
  status_id bigint references poll on delete cascade,
  account_id bigint references account on delete cascade,
  choices integer[] not null,
  created_at timestamptz not null,
  primary key (account_id, status_id)
);
-- Answers: who voted in this poll?
create index poll_vote_status on poll_vote (status_id);

-- Answers, by its key: which picture does this shortcode mean?
create table custom_emoji (
  shortcode text primary key,
  category text,
  url text not null,
  static_url text not null,
  visible_in_picker boolean not null default true,
  created_at timestamptz not null
);

-- replies_policy: followed, list or none.
create table list (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  title text not null,
  replies_policy text not null,
  is_exclusive boolean not null,
  created_at timestamptz not null
);
-- Answers: which lists does this person keep?
create index list_account on list (account_id, id);

-- account_id is the member.
create table list_member (
  id bigint generated always as identity primary key,
  list_id bigint not null references list on delete cascade,
  account_id bigint not null references account on delete cascade
);
-- Answers: is this person on the list already?
create unique index list_member_once on list_member (list_id, account_id);
-- Answers: who is on the list, latest first?
create index list_member_list on list_member (list_id, id desc);
-- Answers: which lists is this person on?
create index list_member_account on list_member (account_id, list_id);

-- name is that of the tag, normalised.
create table tag_follow (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  name text not null references tag,
  created_at timestamptz not null
);
-- Answers: does this person follow this tag already?
create unique index tag_follow_once on tag_follow (account_id, name);
-- Answers: which tags does this person follow, latest first?
create index tag_follow_account on tag_follow (account_id, id desc);
-- Answers: who follows this tag, in order for fan-out?
create index tag_follow_name on tag_follow (name, account_id);

-- Entries below floor_id are not stored. A home that rests is not written to until its owner comes back.
create table home (
  account_id bigint primary key references account on delete cascade,
  floor_id bigint not null default 0,
  is_resting boolean not null default false,
  read_on date not null,
  compared_at timestamptz
);
-- Answers: which homes were not read for long?
create index home_read on home (read_on) where not is_resting;
-- Answers: whose home was compared with what it should hold longest ago?
create index home_compared on home (compared_at nulls first, account_id) where not is_resting;

-- As it was asked for; the author's defaults fill in what is missing when it is published. version rises with every change.
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
-- Answers: what are the drafts of this person, latest first?
create index scheduled_status_drafts on scheduled_status (account_id, id desc) where scheduled_at is null;
-- Answers: what should have been published by now?
create index scheduled_status_due on scheduled_status (scheduled_at, id) where scheduled_at is not null;
-- Answers: what has this person scheduled, or drafted, or both, newest first?
create index scheduled_status_of_account on scheduled_status (account_id, id desc);

-- One page for all statuses that link to it. digest is of the url, which may be longer than an index takes.
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
-- Answers: which pages should have been asked for by now?
create index preview_card_due on preview_card (due_at) where round = 0 or failures > 0;
-- Answers: which pages were last asked for so long ago that they may be forgotten?
create index preview_card_asked on preview_card (asked_at);

-- url is the link as it was typed, with its fragment.
create table status_card (
  status_id bigint primary key references status_head on delete cascade,
  digest text not null references preview_card,
  url text not null
);
-- Answers: which statuses show this page, part by part?
create index status_card_shown on status_card (digest, status_id);

-- Answers, by its key: does this person want to hear of this thread?
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
-- Answers: which filters has this person, oldest first?
create index filter_account on filter (account_id, id);

create table filter_keyword (
  id bigint generated always as identity primary key,
  filter_id bigint not null references filter on delete cascade,
  keyword text not null,
  whole_word boolean not null
);
-- Answers: which keywords has this filter, oldest first?
create index filter_keyword_filter on filter_keyword (filter_id, id);

create table filter_status (
  id bigint generated always as identity primary key,
  filter_id bigint not null references filter on delete cascade,
  status_id bigint not null references status_head on delete cascade
);
-- Answers: is this status in this filter already? And: which statuses are in it?
create unique index filter_status_once on filter_status (filter_id, status_id);
-- Answers: which filters lose this status when it goes?
create index filter_status_status on filter_status (status_id);

-- Answers by its key: did a deleted account have this username? It is in lower case.
create table reserved_username (
  username text primary key
);

-- Private notes on accounts. The key answers: what did this account note on these?
create table account_note (
  account_id bigint references account on delete cascade,
  target_id bigint references account on delete cascade,
  comment text not null,
  primary key (account_id, target_id)
);
-- Answers: which notes go when this account goes?
create index account_note_target on account_note (target_id);

create table endorsement (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  target_id bigint not null references account on delete cascade,
  created_at timestamptz not null
);
-- Answers: does this person show that one already?
create unique index endorsement_once on endorsement (account_id, target_id);
-- Answers: whom does this person show, latest first?
create index endorsement_account on endorsement (account_id, id desc);
-- Answers: which endorsements go when this account goes?
create index endorsement_target on endorsement (target_id);

-- domain is in ASCII and lower case.
create table domain_block (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  domain text not null,
  created_at timestamptz not null
);
-- Answers: has this person shut this server out already?
create unique index domain_block_once on domain_block (account_id, domain);
-- Answers: which servers has this person shut out, latest first?
create index domain_block_account on domain_block (account_id, id desc);

create table staff_pick (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade unique,
  created_at timestamptz not null
);

-- The key answers: does this person want to hear no more of that one as a suggestion?
create table suggestion_dismissal (
  account_id bigint references account on delete cascade,
  target_id bigint references account on delete cascade,
  primary key (account_id, target_id)
);
-- Answers: which dismissals go when this account goes?
create index suggestion_dismissal_target on suggestion_dismissal (target_id);

-- Statuses and rules are named as they were: a report says what it is about also when they are gone.
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
-- Answers: about which reports was nothing done yet?
create index report_open on report (id desc) where action_taken_at is null;
-- Answers: what goes with this account?
create index report_account on report (account_id);
create index report_target on report (target_id);

-- name is that of the tag, normalised; display is what its owner typed.
create table featured_tag (
  id bigint generated always as identity primary key,
  account_id bigint not null references account on delete cascade,
  name text not null references tag,
  display text not null,
  created_at timestamptz not null
);
-- Answers: which tags does this person show, and is this one of them?
create unique index featured_tag_once on featured_tag (account_id, name);

-- account_id says that alias_id is, or was, the same person.
create table account_alias (
  account_id bigint references account on delete cascade,
  alias_id bigint references account on delete cascade,
  primary key (account_id, alias_id)
);
-- Answers: who named the account that is being removed?
create index account_alias_named on account_alias (alias_id);
