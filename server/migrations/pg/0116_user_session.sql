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
