create sequence app_number;

create table login (
  account_id bigint primary key,
  email text not null,
  password_hash text not null,
  role text not null check (role in ('user', 'moderator', 'admin', 'owner')),
  locale text not null,
  reason text not null,
  sign_up_address text not null,
  sign_up_app_id bigint,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  approved_at timestamptz,
  disabled_at timestamptz,
  last_sign_in_at timestamptz,
  closing_at timestamptz,
  suspended_at timestamptz,
  memorial_at timestamptz,
  last_seen_on date
);
create unique index login_email on login (lower(email));
create index login_created on login (created_at);
create index login_closing on login (closing_at) where closing_at is not null;
create index login_last_seen on login (last_seen_on);

create table sign_in_week (
  week date,
  account_id bigint references login on delete cascade,
  primary key (week, account_id)
);

create table sign_up_attempt (
  account_id bigint primary key,
  username text not null,
  email text not null,
  password_hash text not null,
  role text not null,
  locale text not null,
  reason text not null,
  address text not null,
  app_id bigint,
  is_confirmed boolean not null,
  is_approved boolean not null,
  created_at timestamptz not null
);
create index sign_up_attempt_email on sign_up_attempt (lower(email));

create table confirmation_token (
  digest bytea primary key,
  account_id bigint not null references login on delete cascade,
  email text not null,
  expires_at timestamptz not null
);
create index confirmation_token_expires on confirmation_token (expires_at);

create table app (
  id bigint primary key,
  client_id text not null unique,
  secret_digest bytea not null,
  name text not null,
  website text not null,
  redirect_uris text[] not null,
  scopes text[] not null,
  is_operators boolean not null,
  created_at timestamptz not null,
  number bigint default nextval('app_number')
);
create unique index app_operators on app (is_operators) where is_operators;

create table access_token (
  digest bytea primary key,
  id bigint not null,
  app_id bigint not null references app,
  account_id bigint references login on delete cascade,
  scopes text[] not null,
  grant_id text,
  created_at timestamptz not null,
  revoked_at timestamptz,
  nonce bytea
);
create index access_token_account on access_token (account_id) where revoked_at is null;
create index access_token_grant on access_token (grant_id) where grant_id is not null;

create table oidc_artifact (
  model text,
  digest bytea,
  payload jsonb not null,
  grant_id text,
  uid text,
  consumed_at timestamptz,
  expires_at timestamptz not null,
  account_id bigint,
  primary key (model, digest)
);
create index oidc_artifact_grant on oidc_artifact (grant_id) where grant_id is not null;
create index oidc_artifact_uid on oidc_artifact (uid) where uid is not null;
create index oidc_artifact_expires on oidc_artifact (expires_at);
create index oidc_artifact_account on oidc_artifact (account_id) where account_id is not null;

create table provider_key (
  name text primary key,
  value text not null
);

create table password_reset (
  digest bytea primary key,
  account_id bigint not null references login on delete cascade,
  expires_at timestamptz not null
);
create index password_reset_expires on password_reset (expires_at);
create index password_reset_account on password_reset (account_id);

create table session_browser (
  uid text primary key,
  account_id bigint not null references login on delete cascade,
  user_agent text not null,
  signed_in_at timestamptz not null
);
create index session_browser_account on session_browser (account_id);

create table email_change (
  account_id bigint primary key references login on delete cascade,
  digest bytea unique,
  email text not null,
  expires_at timestamptz not null
);
create index email_change_expires on email_change (expires_at);

create table import (
  id bigint primary key,
  account_id bigint not null references login on delete cascade,
  kind text not null,
  replaces boolean not null,
  created_at timestamptz not null,
  cleared_at timestamptz,
  finished_at timestamptz
);
create index import_account on import (account_id, id desc);
create index import_unfinished on import (id) where finished_at is null;

create table import_line (
  import_id bigint references import on delete cascade,
  line integer,
  cells text[] not null,
  outcome text,
  primary key (import_id, line)
);
create index import_line_waiting on import_line (import_id, line) where outcome is null;

create table auth_migration (
  name varchar(255) primary key,
  timestamp varchar(255) not null,
  phase text not null default 'expand',
  after text
);
insert into auth_migration (name, timestamp) values
  ('0001-logins', '2026-11-22T00:00:00.000Z'),
  ('0002-apps-and-tokens', '2026-11-22T00:00:00.000Z'),
  ('0003-provider', '2026-11-22T00:00:00.000Z'),
  ('0004-password-resets', '2026-11-22T00:00:00.000Z'),
  ('0005-account-pages', '2026-11-22T00:00:00.000Z'),
  ('0006-closings', '2026-11-22T00:00:00.000Z'),
  ('0007-imports', '2026-11-22T00:00:00.000Z'),
  ('0008-reasons-to-be-shut-out', '2026-11-22T00:00:00.000Z'),
  ('0009-asked-email-changes', '2026-11-22T00:00:00.000Z'),
  ('0010-derived-tokens', '2026-11-22T00:00:00.000Z'),
  ('0011-app-numbers', '2026-11-22T00:00:00.000Z'),
  ('0012-numbers-of-known-apps', '2026-11-22T00:00:00.000Z'),
  ('0013-last-seen', '2026-11-22T00:00:00.000Z'),
  ('0014-index-of-last-seen', '2026-11-22T00:00:00.000Z');
