-- What happened that somebody is to know of, one row for each person.
create table notification (
  id           bigint generated always as identity primary key,
  uuid         uuid not null default gen_random_uuid() unique,
  account_id   integer not null references account (id) on delete cascade,
  kind         text not null,
  at           timestamptz not null,
  read_at      timestamptz,
  -- what it is about: named when it is read, by whoever may know the name
  offer_id     integer references offer (id) on delete cascade,
  affiliate_id integer references affiliate (id) on delete cascade,
  landing_id   integer references landing (id) on delete cascade,
  -- what became of it, or the period of a cap
  status       text not null default '',
  reason       text not null default '',
  -- how many, of what is told together; of a cap the percentage
  count        integer not null default 1,
  -- of what must be told once, or together: what it is, by its own name
  once         text,
  constraint notification_kind_known check (kind in (
    'access_requested', 'access_decided', 'affiliate_registered', 'affiliate_status', 'landing_decided', 'conversions_declined',
    'cap_nearly_full', 'cap_full', 'deliveries_given_up', 'offer_paused'))
);
create unique index notification_once on notification (account_id, once);
create index notification_newest on notification (account_id, at desc, id desc);
create index notification_unread on notification (account_id) where read_at is null;
create index notification_at on notification (at);
