-- An advertiser's endpoint: an account of theirs in an integration.
create table product (
  id                integer generated always as identity primary key,
  uuid              uuid not null default gen_random_uuid() unique,
  advertiser_id     integer not null references advertiser (id),
  title             text not null,
  integration_id    integer not null references integration (id),
  -- the version leads are sent by
  version_id        integer not null references integration_version (id),
  host              text not null,
  geos              text[] not null default '{}',
  time_zone         text not null,
  notes             text not null default '',
  -- what its account is called and its secrets, as JSON, sealed
  credentials       bytea not null,
  status            text not null default 'active',
  -- the version by which they accepted a test last
  tested_version_id integer references integration_version (id),
  tested_at         timestamptz,
  version           integer not null default 1,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  constraint product_status_known check (status in ('active', 'paused', 'archived')),
  constraint product_tested check ((tested_version_id is null) = (tested_at is null))
);
create index product_advertiser on product (advertiser_id, id);
create index product_integration on product (integration_id);
create index product_version on product (version_id);
create index product_tested_version on product (tested_version_id) where tested_version_id is not null;
create unique index product_title on product (advertiser_id, lower(title)) where status <> 'archived';
-- a test of it must not refuse the form that stands open
create trigger product_counts before update on product for each row
  execute function next_version('tested_version_id', 'tested_at', 'updated_at');

-- A lead nobody is, sent to see whether a product takes leads. What was said and answered stands there without secrets.
create table product_test (
  id          bigint generated always as identity primary key,
  uuid        uuid not null unique,
  product_id  integer not null references product (id) on delete cascade,
  version_id  integer not null references integration_version (id),
  account_id  integer references account (id) on delete set null,
  outcome     text not null,
  reason      text not null default '',
  external_id text not null default '',
  redirect    text not null default '',
  calls       jsonb not null,
  at          timestamptz not null,
  constraint product_test_outcome_known check (outcome in
    ('accepted', 'rejected', 'duplicate', 'no_capacity', 'temporary', 'config_error', 'ambiguous'))
);
create index product_test_product on product_test (product_id, id desc);
create index product_test_version on product_test (version_id);
create index product_test_account on product_test (account_id) where account_id is not null;
