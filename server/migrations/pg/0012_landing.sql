-- Landings and pre-landings, their weights within offers, and payout rows for some of them.
create table landing (
  id            integer generated always as identity primary key,
  uuid          uuid not null default gen_random_uuid(),
  name          text not null,
  -- with macros
  url           text not null,
  type          text not null default 'landing',
  -- two lower-case letters; '' = none in particular
  language      text not null default '',
  tags          text[] not null default '{}',
  -- private: shown to these affiliates alone, reached by those who ask for it, never drawn
  privacy       text not null default 'public',
  affiliate_ids integer[] not null default '{}',
  -- null: it may stand in offers of any advertiser
  advertiser_id integer references advertiser (id) on delete set null,
  status        text not null default 'moderation',
  -- what staff answered when they decided
  reason        text not null default '',
  -- staff only
  notes         text not null default '',
  preview       uuid references file (uuid) on delete set null,
  proposed_by   integer references account (id) on delete set null,
  -- the last look at its address: a status, or a word for why there was none
  checked_at    timestamptz,
  check_status  integer,
  check_error   text not null default '',
  -- looks in a row that failed
  failures      integer not null default 0,
  next_check_at timestamptz not null default now(),
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),
  constraint landing_uuid_key unique (uuid),
  constraint landing_type_known check (type in ('landing', 'prelanding')),
  constraint landing_privacy_known check (privacy in ('public', 'private')),
  constraint landing_status_known check (status in ('moderation', 'active', 'stopped', 'deleted'))
);
create index landing_tags on landing using gin (tags);
create index landing_moderation on landing (id) where status = 'moderation';
create index landing_next_check on landing (next_check_at) where status = 'active';

-- Weight 0: reached only by those who ask for it.
create table offer_landing (
  offer_id   integer not null references offer (id) on delete cascade,
  landing_id integer not null references landing (id) on delete cascade,
  weight     integer not null default 100,
  position   integer not null default 0,
  primary key (offer_id, landing_id),
  constraint offer_landing_weight_range check (weight between 0 and 1000)
);
create index offer_landing_landing on offer_landing (landing_id);

alter table payout_rule add column landing_ids integer[] not null default '{}';
drop index payout_rule_one_base;
create unique index payout_rule_one_base on payout_rule (goal_id)
  where affiliate_ids = '{}' and landing_ids = '{}' and geos = '{}' and devices = '{}' and oses = '{}';
