-- Messages on their way out by mail. What fills their template is sealed: a stolen backup holds no link that signs somebody in.
create table mail (
  id          bigint generated always as identity primary key,
  uuid        uuid not null default gen_random_uuid() unique,
  event       text not null,
  language    text not null,
  recipient   text not null,
  account_id  integer references account (id) on delete set null,
  -- the values of its macros; gone once it is settled
  sealed      bytea,
  -- as it was sent
  subject     text not null default '',
  status      text not null default 'waiting',
  attempts    integer not null default 0,
  next_at     timestamptz not null,
  -- nobody wants it later: its link has died, or its news is old
  expires_at  timestamptz not null,
  created_at  timestamptz not null,
  settled_at  timestamptz,
  -- what the receiving server said last, or why it was not sent
  error       text not null default '',
  constraint mail_status_known check (status in ('waiting', 'sent', 'refused', 'failed', 'expired')),
  constraint mail_settled check ((status = 'waiting') = (settled_at is null)),
  constraint mail_unsealed check (status = 'waiting' or sealed is null)
);
create index mail_due on mail (next_at) where status = 'waiting';
create index mail_created on mail (created_at);
