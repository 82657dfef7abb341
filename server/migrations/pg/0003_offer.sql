-- Offers with goals, payout rules, access of affiliates, short links, caps, and the keys of click ids.

create table offer (
  id                  integer generated always as identity primary key,
  uuid                uuid not null default gen_random_uuid(),
  type                text not null,
  title               text not null,
  status              text not null default 'draft',
  privacy             text not null default 'premoderation',
  advertiser_id       integer references advertiser (id),
  vertical            text not null default '',
  currency            text not null,
  -- destination and preview, with macros
  tracking_url        text not null default '',
  preview_url         text not null default '',
  trafficback_url     text not null default '',
  -- sanitised HTML
  description         text not null default '',
  kpi                 text not null default '',
  -- staff only
  notes               text not null default '',
  traffic_sources     text[] not null default '{}',
  tags                text[] not null default '{}',
  start_at            timestamptz,
  stop_at             timestamptz,
  -- the zone of the daily cap
  time_zone           text not null default 'UTC',
  hold_days           integer not null default 0,
  click_lifetime_days integer not null default 365,
  -- seconds from click to conversion; null = no limit
  min_conversion_time integer,
  max_conversion_time integer,
  redirect_type       text not null default '302',
  deep_link_hosts     text[] not null default '{}',
  -- SnapshotOffer['targeting']
  targeting           jsonb not null default '{}',
  -- conversions a day that are approved or on hold; null = no cap
  daily_cap           integer,
  over_cap_action     text not null default 'trafficback',
  -- null = the advertiser's token
  postback_token      text,
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now(),
  constraint offer_uuid_key unique (uuid),
  constraint offer_id_range check (id between 1 and 16777215),
  constraint offer_type_known check (type in ('direct', 'api')),
  constraint offer_status_known check (status in ('draft', 'active', 'paused', 'stopped', 'archived')),
  constraint offer_privacy_known check (privacy in ('public', 'premoderation', 'private')),
  constraint offer_redirect_known check (redirect_type in ('302', '307', 'meta', 'meta_no_referrer')),
  constraint offer_over_cap_known check (over_cap_action in ('trafficback', 'decline', 'unpaid', 'pause')),
  constraint offer_daily_cap_positive check (daily_cap > 0),
  constraint offer_hold_range check (hold_days between 0 and 365),
  constraint offer_direct_has_advertiser check (type <> 'direct' or advertiser_id is not null)
);
create index offer_advertiser on offer (advertiser_id);
create index offer_status on offer (status);

create table goal (
  id         integer generated always as identity primary key,
  uuid       uuid not null default gen_random_uuid(),
  offer_id   integer not null references offer (id) on delete cascade,
  code       text not null,
  title      text not null,
  type       text not null default 'CPA',
  is_default boolean not null default false,
  hidden     boolean not null default false,
  -- several conversions per click, told apart by the advertiser's transaction id
  repeatable boolean not null default false,
  position   integer not null default 0,
  -- a goal with conversions is retired, not deleted
  retired    boolean not null default false,
  constraint goal_code_key unique (offer_id, code),
  constraint goal_type_known check (type in ('CPA', 'CPL', 'CPS', 'RevShare', 'mixed'))
);
create unique index goal_one_default on goal (offer_id) where is_default and not retired;

-- Rules are replaced as a whole when an offer is saved; a conversion keeps a copy of the rule it was paid by.
create table payout_rule (
  id              integer generated always as identity primary key,
  offer_id        integer not null references offer (id) on delete cascade,
  goal_id         integer not null references goal (id) on delete cascade,
  position        integer not null default 0,
  affiliate_ids   integer[] not null default '{}',
  geos            text[] not null default '{}',
  devices         text[] not null default '{}',
  oses            text[] not null default '{}',
  payout_fixed    numeric(18,4) not null default 0,
  payout_percent  numeric(9,4) not null default 0,
  revenue_fixed   numeric(18,4) not null default 0,
  revenue_percent numeric(9,4) not null default 0,
  constraint payout_rule_not_negative check (payout_fixed >= 0 and payout_percent >= 0 and revenue_fixed >= 0 and revenue_percent >= 0)
);
create index payout_rule_offer on payout_rule (offer_id, goal_id, position);
create unique index payout_rule_one_base on payout_rule (goal_id)
  where affiliate_ids = '{}' and geos = '{}' and devices = '{}' and oses = '{}';

create table offer_access (
  offer_id     integer not null references offer (id) on delete cascade,
  affiliate_id integer not null references affiliate (id) on delete cascade,
  status       text not null,
  -- what the affiliate wrote, and what staff answered
  message      text not null default '',
  reason       text not null default '',
  requested_at timestamptz,
  decided_at   timestamptz,
  decided_by   integer references account (id) on delete set null,
  primary key (offer_id, affiliate_id),
  constraint offer_access_status_known check (status in ('pending', 'approved', 'rejected', 'blocked'))
);
create index offer_access_affiliate on offer_access (affiliate_id);
create index offer_access_pending on offer_access (requested_at) where status = 'pending';

create table link (
  code         text primary key,
  offer_id     integer not null references offer (id) on delete cascade,
  affiliate_id integer not null references affiliate (id) on delete cascade,
  params       jsonb not null default '{}',
  created_at   timestamptz not null default now()
);
create index link_affiliate on link (affiliate_id, offer_id);

-- One row a capped offer and day of its zone; `used` counts conversions that hold a place.
create table cap_counter (
  offer_id integer not null references offer (id) on delete cascade,
  day      date not null,
  used     integer not null default 0,
  primary key (offer_id, day),
  constraint cap_counter_not_negative check (used >= 0)
);

-- Keys of click ids: new ids use the highest version, older ones stay valid for the click lifetime.
create table tracking_key (
  version    smallint primary key,
  mac        bytea not null,
  mask       bytea not null,
  created_at timestamptz not null default now()
);
-- Key of the visitor hash, one a month.
create table visitor_key (
  month date primary key,
  key   bytea not null
);
