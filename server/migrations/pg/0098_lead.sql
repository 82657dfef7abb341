-- Who filled in a form. Names and addresses are sealed; what is searched and compared are keyed hashes of them.
create table person (
  id            bigint generated always as identity primary key,
  uuid          uuid not null default gen_random_uuid() unique,
  -- which key it is sealed with, so that keys may change
  key_id        integer not null default 1,
  sealed        bytea,
  phone_hash    bytea,
  email_hash    bytea,
  country       text not null default '',
  language      text not null default '',
  gender        text not null default 'unknown',
  test          boolean not null default false,
  suppressed_at timestamptz,
  erased_at     timestamptz,
  first_seen_at timestamptz not null,
  last_seen_at  timestamptz not null,
  constraint person_gender_known check (gender in ('male', 'female', 'other', 'unknown'))
);
-- one person is one telephone and e-mail together
create unique index person_contacts on person (phone_hash, email_hash, test) nulls not distinct where erased_at is null;
create index person_email on person (email_hash) where email_hash is not null;

-- An advertiser's endpoint: an integration with an account there.
create table product (
  id               integer generated always as identity primary key,
  uuid             uuid not null default gen_random_uuid() unique,
  advertiser_id    integer not null references advertiser (id),
  name             text not null,
  integration_id   integer not null references integration (id),
  -- the version it is sent by
  version_id       integer not null references integration_version (id),
  host             text not null,
  params           jsonb not null default '{}',
  -- its account, sealed
  secrets          bytea,
  geos             text[] not null default '{}',
  time_zone        text not null default 'UTC',
  hours            jsonb,
  caps             jsonb not null default '[]',
  -- what the advertiser pays, by goal and country: overridden in offers
  prices           jsonb not null default '[]',
  repeat_days      integer,
  status           text not null default 'active',
  -- consecutive errors, and until when it rests after too many of them
  failures         integer not null default 0,
  rests_until      timestamptz,
  -- the version an accepted test was sent by
  tested_version_id integer references integration_version (id),
  tested_at        timestamptz,
  version          integer not null default 1,
  created_at       timestamptz not null default now(),
  constraint product_status_known check (status in ('active', 'paused', 'archived')),
  constraint product_tested check ((tested_version_id is null) = (tested_at is null))
);
create index product_advertiser on product (advertiser_id);
create index product_integration on product (integration_id);

-- To whom an API offer gives its leads: groups in their order, products in each.
create table offer_group (
  id           integer generated always as identity primary key,
  offer_id     integer not null references offer (id),
  place        integer not null,
  strategy     text not null default 'priority',
  least_sample integer not null default 50,
  explore      integer not null default 10,
  unique (offer_id, place) deferrable initially deferred,
  constraint offer_group_strategy_known check (strategy in ('priority', 'weight', 'round_robin', 'best_rate'))
);
create table offer_member (
  id         integer generated always as identity primary key,
  uuid       uuid not null default gen_random_uuid() unique,
  group_id   integer not null references offer_group (id) on delete cascade,
  product_id integer not null references product (id),
  place      integer not null,
  weight     integer not null default 1,
  -- caps, hours, geos, whose leads, price and payout by country, what follows a rejection
  terms      jsonb not null default '{}',
  paused     boolean not null default false,
  unique (group_id, place) deferrable initially deferred,
  unique (group_id, product_id)
);
create index offer_member_product on offer_member (product_id);

-- One submission of a person, and what became of it.
create table user_session (
  id            bigint generated always as identity primary key,
  uuid          uuid not null default gen_random_uuid() unique,
  person_id     bigint not null references person (id),
  affiliate_id  integer not null references affiliate (id),
  offer_id      integer not null references offer (id),
  landing_id    integer references landing (id),
  click_id      text not null,
  -- what the affiliate calls it
  external_id   text,
  origin        text not null,
  traffic_type  text not null default 'warm',
  test          boolean not null default false,
  status        text not null,
  reason        text not null default '',
  call_status   text,
  -- what it came with: subs, address, device, fields of its kind; personal ones sealed
  told          jsonb not null default '{}',
  sealed        bytea,
  consent       jsonb,
  country       text not null default '',
  -- drawn once: the same session is decided about in the same way again
  draw          double precision not null,
  -- why each product was or was not asked
  trace         jsonb not null default '[]',
  attempts      integer not null default 0,
  next_try_at   timestamptz,
  leased_until  timestamptz,
  received_at   timestamptz not null,
  decided_at    timestamptz,
  changed_at    timestamptz not null,
  constraint user_session_status_known check (status in
    ('received', 'held', 'queued', 'accepted', 'unsold', 'rejected', 'duplicate', 'ambiguous', 'converted', 'closed', 'test')),
  constraint user_session_origin_known check (origin in ('api', 'landing', 'test', 'cold')),
  constraint user_session_traffic_known check (traffic_type in ('warm', 'cold'))
);
create unique index user_session_external on user_session (affiliate_id, external_id) where external_id is not null;
create unique index user_session_click on user_session (click_id);
create index user_session_due on user_session (next_try_at) where next_try_at is not null;
create index user_session_affiliate on user_session (affiliate_id, received_at desc);
create index user_session_offer on user_session (offer_id, received_at desc);
create index user_session_person on user_session (person_id);
create index user_session_received on user_session (received_at desc);

-- One try to sell a session to one product.
create table lead_send (
  id            bigint generated always as identity primary key,
  -- what the advertiser knows it by
  uuid          uuid not null default gen_random_uuid() unique,
  session_id    bigint not null references user_session (id),
  person_id     bigint not null references person (id),
  product_id    integer not null references product (id),
  advertiser_id integer not null references advertiser (id),
  member_id     integer,
  version_id    integer not null references integration_version (id),
  attempt       integer not null,
  status        text not null,
  outcome       text,
  reason        text not null default '',
  external_id   text,
  -- where the person goes on: opens an account there, so it is sealed
  redirect      bytea,
  price         numeric check (scale(price) <= 8),
  http_status   integer,
  -- without secrets; dropped after thirty days
  call          bytea,
  asked_at      timestamptz not null,
  answered_at   timestamptz,
  constraint lead_send_status_known check (status in
    ('sending', 'accepted', 'pending', 'approved', 'rejected', 'duplicate', 'no_capacity', 'error', 'ambiguous', 'cancelled'))
);
-- a session is under way or sold once at most
create unique index lead_send_one on lead_send (session_id) where status in ('sending', 'accepted', 'pending', 'approved', 'ambiguous');
create index lead_send_session on lead_send (session_id, id);
create index lead_send_product on lead_send (product_id, asked_at desc);
create index lead_send_person on lead_send (person_id, advertiser_id);
create index lead_send_external on lead_send (product_id, external_id) where external_id is not null;
create index lead_send_open on lead_send (asked_at) where status = 'sending';

-- How full the caps of products and members are: a place is taken before a lead is sent.
create table lead_counter (
  owner  text not null,
  period text not null,
  starts timestamptz not null,
  used   integer not null default 0,
  primary key (owner, period, starts)
);
