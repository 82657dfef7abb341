-- What each check of an offer leads to; what it does not say is as usual.
alter table api_offer add column integrity jsonb not null default '{}';

-- What was found about a session when it came. Addresses and devices are keyed hashes, to count by.
alter table user_session
  add column integrity jsonb not null default '[]',
  add column integrity_verdict text not null default 'unchecked',
  add column integrity_score smallint not null default 0,
  add column ip_hash bytea,
  add column device_hash bytea,
  add constraint user_session_integrity_known check (integrity_verdict in ('unchecked', 'clean', 'flagged', 'held', 'rejected'));
create index user_session_ip on user_session (ip_hash, received_at desc) where ip_hash is not null;
create index user_session_device on user_session (device_hash, received_at desc) where device_hash is not null;
create index user_session_integrity on user_session (integrity_verdict, received_at desc)
  where integrity_verdict in ('flagged', 'held', 'rejected');
create index user_session_held on user_session (received_at) where status = 'held';

-- What a person said of a session that was held, once.
create table lead_review (
  session_id bigint primary key references user_session (id),
  at         timestamptz not null,
  by_id      integer references account (id),
  approved   boolean not null,
  note       text not null default ''
);

-- Files entries of the blacklist came in.
create table blacklist_import (
  id         bigint generated always as identity primary key,
  uuid       uuid not null default gen_random_uuid() unique,
  file_name  text not null default '',
  made       integer not null,
  there      integer not null,
  refused    integer not null,
  created_by integer not null references account (id),
  created_at timestamptz not null,
  -- how many of its entries were taken back, once they were
  removed    integer,
  removed_at timestamptz
);

-- Whom and what leads are refused by. Every value is a keyed hash; what tells of nobody stands beside it as it is, contacts and names masked.
create table blacklist_entry (
  id         bigint generated always as identity primary key,
  uuid       uuid not null default gen_random_uuid() unique,
  kind       text not null,
  hash       bytea not null,
  shown      text not null,
  -- of addresses, to find whatever lies in it
  network    cidr,
  note       text not null default '',
  expires_at timestamptz,
  import_id  bigint references blacklist_import (id),
  created_by integer references account (id),
  created_at timestamptz not null,
  unique (kind, hash),
  constraint blacklist_entry_kind_known check (kind in ('email', 'phone', 'domain', 'ip', 'first_name', 'last_name')),
  constraint blacklist_entry_network check ((kind = 'ip') = (network is not null))
);
create index blacklist_entry_network on blacklist_entry using gist (network inet_ops) where network is not null;
create index blacklist_entry_import on blacklist_entry (import_id) where import_id is not null;
create index blacklist_entry_created on blacklist_entry (created_at desc, id desc);
