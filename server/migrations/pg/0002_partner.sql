-- Managers, affiliates and advertisers.

create table manager (
  id           integer generated always as identity primary key,
  account_id   integer not null references account (id) on delete cascade,
  status       text not null default 'active',
  type         text not null default 'affiliate',
  team_lead_id integer references manager (id) on delete set null,
  contacts     jsonb not null default '{}',
  notes        text not null default '',
  constraint manager_account_key unique (account_id),
  constraint manager_status_known check (status in ('active', 'blocked', 'deleted')),
  constraint manager_type_known check (type in ('affiliate', 'advertiser', 'support', 'finance', 'head')),
  constraint manager_not_own_lead check (team_lead_id is distinct from id)
);
create index manager_team_lead on manager (team_lead_id);

create table affiliate (
  id              integer generated always as identity primary key,
  account_id      integer not null references account (id) on delete cascade,
  status          text not null,
  manager_id      integer references manager (id) on delete set null,
  country         text,
  phone           text not null default '',
  contacts        jsonb not null default '{}',
  tags            text[] not null default '{}',
  notes           text not null default '',
  traffic_sources text[] not null default '{}',
  verticals       text[] not null default '{}',
  geos            text[] not null default '{}',
  currency        text not null default 'USD',
  created_at      timestamptz not null default now(),
  constraint affiliate_account_key unique (account_id),
  constraint affiliate_status_known check (status in ('unverified', 'moderation', 'active', 'inactive', 'banned', 'rejected')),
  -- the click id keeps 24 bits for it
  constraint affiliate_id_range check (id between 1 and 16777215)
);
create index affiliate_manager on affiliate (manager_id);
create index affiliate_tags on affiliate using gin (tags);

create table advertiser (
  id             integer generated always as identity primary key,
  uuid           uuid not null default gen_random_uuid(),
  name           text not null,
  email          text not null default '',
  status         text not null default 'active',
  manager_id     integer references manager (id) on delete set null,
  company        jsonb not null default '{}',
  contacts       jsonb not null default '{}',
  -- advertisers put it into their postback address, so it can be shown again
  postback_token text not null,
  allowed_ips    text[] not null default '{}',
  currency       text not null default 'USD',
  notes          text not null default '',
  created_at     timestamptz not null default now(),
  constraint advertiser_uuid_key unique (uuid),
  constraint advertiser_postback_token_key unique (postback_token),
  constraint advertiser_status_known check (status in ('active', 'inactive', 'deleted'))
);
create index advertiser_manager on advertiser (manager_id);
