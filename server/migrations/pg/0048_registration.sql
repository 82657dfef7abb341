-- Who signs up by oneself: what was said, where from, and what became of it.
alter table affiliate
  add column company text not null default '',
  add column website text not null default '';
-- one telephone is one partner, however it is written
create index affiliate_phone_digits on affiliate (regexp_replace(phone, '\D', '', 'g')) where phone <> '';

create table application (
  affiliate_id integer primary key references affiliate (id) on delete cascade,
  -- the own questions of the network with what was answered, as they stood then
  answers      jsonb not null default '[]',
  -- ref code, referring page, first page and the utm_ parameters it was opened with
  source       jsonb not null default '{}',
  address      text not null,
  device       text not null,
  created_at   timestamptz not null,
  -- when the link of the confirming message was opened; null = nobody has shown that the address is theirs
  confirmed_at timestamptz,
  decided_at   timestamptz,
  -- why it was rejected, as the applicant was told
  reason       text not null default ''
);
create index application_created on application (created_at);

create table invitation (
  id           integer generated always as identity primary key,
  uuid         uuid not null default gen_random_uuid() unique,
  token_hash   bytea not null unique,
  email        text not null,
  language     text not null,
  -- whose the affiliate becomes
  manager_id   integer references manager (id) on delete set null,
  invited_by   integer references account (id) on delete set null,
  -- whether the link went to the address itself: then who opens it has the address
  mailed       boolean not null,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  used_at      timestamptz,
  revoked_at   timestamptz,
  affiliate_id integer references affiliate (id) on delete set null,
  constraint invitation_email_lower check (email = lower(email)),
  constraint invitation_language_known check (language in ('en', 'uk')),
  constraint invitation_once check (used_at is null or revoked_at is null)
);
create index invitation_created on invitation (created_at);
create index invitation_manager on invitation (manager_id);

-- A form that was sent is not sent again. The marks go when the form is too old anyway.
create table used_form (
  id         bytea primary key,
  expires_at timestamptz not null
);

-- How often somebody did something since a moment: one row for each, whatever they try.
create table call_count (
  what    text not null,
  who     text not null,
  since   timestamptz not null,
  used    integer not null,
  primary key (what, who)
);
create index call_count_since on call_count (since);

-- Asked for by whoever typed an address, known or not: a worker looks whose it is, so that the answer cannot tell.
create table mail_request (
  id    bigint generated always as identity primary key,
  kind  text not null,
  email text not null,
  at    timestamptz not null,
  constraint mail_request_kind_known check (kind in ('recovery', 'confirmation'))
);

alter table one_time_link drop constraint one_time_link_purpose_check;
alter table one_time_link add constraint one_time_link_purpose_known
  check (purpose in ('set_password', 'setup', 'recovery', 'confirm_email'));
