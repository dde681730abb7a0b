create table instance_text (
  name text primary key check (name in ('title', 'short_description', 'description', 'extended_description', 'contact_email', 'contact_account')),
  value text not null,
  updated_at timestamptz not null default now()
);

create table rule (
  id bigint generated always as identity primary key,
  text text not null,
  hint text not null default '',
  priority integer not null default 0
);

create table peer (
  domain text primary key,
  first_seen_at timestamptz not null default now()
);

create table domain_block (
  id bigint generated always as identity primary key,
  domain text not null constraint domain_block_domain unique,
  severity text not null check (severity in ('silence', 'suspend', 'noop')),
  reject_media boolean not null default false,
  reject_reports boolean not null default false,
  private_comment text,
  public_comment text,
  obfuscate boolean not null default false,
  created_at timestamptz not null default now()
);

create table configured_text (
  name text primary key,
  value text not null,
  changed_at timestamptz not null
);

create table federation_migration (
  name varchar(255) primary key,
  timestamp varchar(255) not null,
  phase text not null default 'expand',
  after text
);
insert into federation_migration (name, timestamp) values
  ('0001-instance', '2026-11-22T00:00:00.000Z'),
  ('0002-configured-texts', '2026-11-22T00:00:00.000Z');
