create table attachment (
  id bigint primary key,
  owner_id bigint not null,
  purpose text not null check (purpose in ('attachment', 'avatar', 'header', 'emoji', 'preview', 'thumbnail')),
  type text not null check (type in ('image', 'gifv', 'video', 'audio', 'unknown')),
  state text not null check (state in ('pending', 'done', 'failed')),
  original_key text,
  preview_key text,
  width integer,
  height integer,
  preview_width integer,
  preview_height integer,
  blurhash text,
  description text not null,
  focus_x double precision,
  focus_y double precision,
  created_at timestamptz not null,
  subject_id bigint,
  claimed_at timestamptz,
  expires_at timestamptz,
  described_at timestamptz,
  source_key text,
  motion jsonb,
  tries smallint not null default 0,
  processing_ends_at timestamptz
);
-- Answers: which files does a deleted or published status show?
create index attachment_subject on attachment (subject_id) where subject_id is not null;
-- Answers: which records are due to be deleted?
create index attachment_expires on attachment (expires_at) where expires_at is not null;
-- Answers: which files are this person's, to go with them?
create index attachment_owner on attachment (owner_id);
-- Answers: which records name the files between two keys?
create index attachment_original on attachment (original_key) where original_key is not null;
create index attachment_preview on attachment (preview_key) where preview_key is not null;
-- Answers: which records name the files between two keys?
create index attachment_source on attachment (source_key) where source_key is not null;
-- Answers: which files have been processed for too long?
create index attachment_processing on attachment (processing_ends_at) where processing_ends_at is not null;

create table discarded_file (
  key text primary key,
  discarded_at timestamptz not null
);

create table ended_subject (
  id bigint primary key,
  ended_at timestamptz not null
);
-- Answers: which have been gone so long that no event about them can still come?
create index ended_subject_ended on ended_subject (ended_at);
