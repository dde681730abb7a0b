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
create index attachment_subject on attachment (subject_id) where subject_id is not null;
create index attachment_expires on attachment (expires_at) where expires_at is not null;
create index attachment_owner on attachment (owner_id);
create index attachment_original on attachment (original_key) where original_key is not null;
create index attachment_preview on attachment (preview_key) where preview_key is not null;
create index attachment_source on attachment (source_key) where source_key is not null;
create index attachment_processing on attachment (processing_ends_at) where processing_ends_at is not null;

create table discarded_file (
  key text primary key,
  discarded_at timestamptz not null
);

create table ended_subject (
  id bigint primary key,
  ended_at timestamptz not null
);
create index ended_subject_ended on ended_subject (ended_at);

create table media_migration (
  name varchar(255) primary key,
  timestamp varchar(255) not null,
  phase text not null default 'expand',
  after text
);
insert into media_migration (name, timestamp) values
  ('0001-attachments', '2026-11-22T00:00:00.000Z'),
  ('0002-emoji-pictures', '2026-11-22T00:00:00.000Z'),
  ('0003-preview-pictures', '2026-11-22T00:00:00.000Z'),
  ('0005-files-of-owners', '2026-11-22T00:00:00.000Z'),
  ('0006-files-by-key', '2026-11-22T00:00:00.000Z'),
  ('0007-ended-subjects', '2026-11-22T00:00:00.000Z'),
  ('0008-thumbnails', '2026-11-22T00:00:00.000Z'),
  ('0009-described-at', '2026-11-22T00:00:00.000Z'),
  ('0010-motion', '2026-11-22T00:00:00.000Z');
