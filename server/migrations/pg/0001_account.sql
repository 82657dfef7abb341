-- People who sign in, their sessions, one-time links, failed attempts, settings, and the audit log.

create table account (
  id            integer generated always as identity primary key,
  uuid          uuid not null default gen_random_uuid(),
  role          text not null,
  email         text not null,
  name          text not null,
  password_hash text,
  language      text not null default 'en',
  time_zone     text not null default 'UTC',
  created_at    timestamptz not null default now(),
  last_login_at timestamptz,
  constraint account_uuid_key unique (uuid),
  constraint account_email_key unique (email),
  constraint account_email_lower check (email = lower(email)),
  constraint account_role_known check (role in ('admin', 'head', 'manager', 'team lead', 'affiliate'))
);

create table session (
  id                integer generated always as identity primary key,
  uuid              uuid not null default gen_random_uuid(),
  account_id        integer not null references account (id) on delete cascade,
  -- sha256 of the token: a stolen backup opens no session
  token_hash        bytea not null,
  acting_account_id integer references account (id) on delete cascade,
  device            text not null,
  address           text not null,
  created_at        timestamptz not null,
  last_seen_at      timestamptz not null,
  expires_at        timestamptz not null,
  constraint session_token_hash_key unique (token_hash)
);
create index session_account on session (account_id);

create table one_time_link (
  token_hash bytea primary key,
  purpose    text not null check (purpose in ('set_password', 'setup')),
  account_id integer references account (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at    timestamptz
);

create table login_attempt (
  id         bigint generated always as identity primary key,
  email      text not null,
  address    text not null,
  at         timestamptz not null
);
create index login_attempt_email on login_attempt (email, at);
create index login_attempt_address on login_attempt (address, at);

create table setting (
  key        text primary key,
  value      jsonb not null,
  updated_at timestamptz not null default now()
);

create table audit (
  id               bigint generated always as identity primary key,
  at               timestamptz not null,
  actor_id         integer,
  -- the member of staff behind an affiliate's session
  acting_id        integer,
  address          text not null,
  action           text not null,
  entity           text not null,
  entity_id        text not null,
  before           jsonb,
  after            jsonb
);
create index audit_entity on audit (entity, entity_id, id);
create index audit_at on audit (at);

-- Append-only, whoever asks: the log must also stand against a mistake of ours.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger audit_append_only before update or delete on audit for each row execute function refuse_change();
