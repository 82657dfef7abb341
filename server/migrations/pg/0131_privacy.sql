-- Somebody of whom nothing more may be done for now: kept, and offered to nobody.
alter table person add column restricted_at timestamptz;

-- Who was erased, and what of the statistics still has to forget them.
create table person_erasure (
  person_id  bigint primary key references person (id),
  at         timestamptz not null,
  by_id      integer references account (id) on delete set null,
  -- clicks in statistics are cleared at once and once more, for those that were on their way; null = done
  clicks     text[] not null default '{}',
  passes     integer not null default 0,
  due_at     timestamptz
);
create index person_erasure_due on person_erasure (due_at) where due_at is not null;

-- Whom the network gave somebody who was erased, and whether they were told of it.
create table recipient_notice (
  id            bigint generated always as identity primary key,
  uuid          uuid not null default gen_random_uuid() unique,
  person_id     bigint not null references person (id),
  advertiser_id integer not null references advertiser (id),
  first_at      timestamptz not null,
  last_at       timestamptz not null,
  -- by which names they know the leads: nobody is told of in them
  leads         jsonb not null default '[]',
  told_at       timestamptz,
  told_by       integer references account (id) on delete set null,
  note          text not null default '',
  unique (person_id, advertiser_id)
);
create index recipient_notice_open on recipient_notice (id) where told_at is null;
create index recipient_notice_advertiser on recipient_notice (advertiser_id);
