-- Postbacks from advertisers, and postbacks to affiliates with their deliveries.

create table postback_in (
  id             bigint generated always as identity primary key,
  -- minted by the tracker that took it: the same hand-over twice is one row
  request_key    text not null,
  received_at    timestamptz not null,
  method         text not null,
  -- query and body as they came, secrets cut out
  query          text not null,
  body           text not null default '',
  address        text not null,
  outcome        text not null,
  reason         text not null default '',
  http_status    integer not null,
  click_id       text not null default '',
  transaction_id text not null default '',
  goal_code      text not null default '',
  offer_id       integer references offer (id),
  affiliate_id   integer references affiliate (id),
  advertiser_id  integer references advertiser (id),
  conversion_id  bigint references conversion (id),
  -- waiting for its click: the parsed postback and the next look
  parsed         jsonb,
  next_try_at    timestamptz,
  constraint postback_in_request_key unique (request_key),
  constraint postback_in_outcome_known check (outcome in ('created', 'changed', 'repeat', 'refused', 'waiting', 'unmatched', 'test'))
);
create index postback_in_received on postback_in (received_at desc, id desc);
create index postback_in_waiting on postback_in (next_try_at) where outcome = 'waiting';
create index postback_in_conversion on postback_in (conversion_id);

create table affiliate_postback (
  id           integer generated always as identity primary key,
  uuid         uuid not null default gen_random_uuid(),
  affiliate_id integer not null references affiliate (id) on delete cascade,
  -- null = every offer
  offer_id     integer references offer (id) on delete cascade,
  -- null = every goal of the offer
  goal_code    text,
  -- empty = every status
  statuses     text[] not null default '{}',
  method       text not null default 'GET',
  url          text not null,
  status       text not null default 'active',
  -- failures in a row; 50 suspend it
  failures     integer not null default 0,
  suspended_at timestamptz,
  created_at   timestamptz not null default now(),
  constraint affiliate_postback_uuid_key unique (uuid),
  constraint affiliate_postback_method_known check (method in ('GET', 'POST')),
  constraint affiliate_postback_status_known check (status in ('active', 'paused', 'suspended', 'deleted'))
);
create index affiliate_postback_affiliate on affiliate_postback (affiliate_id);

create table postback_delivery (
  id            bigint generated always as identity primary key,
  uuid          uuid not null default gen_random_uuid(),
  postback_id   integer not null references affiliate_postback (id) on delete cascade,
  affiliate_id  integer not null references affiliate (id),
  conversion_id bigint not null references conversion (id),
  -- which entry of the affiliate's history it tells of; with the postback it makes the delivery unique
  history_seq   integer not null,
  -- replays by hand count up
  replay        integer not null default 0,
  method        text not null,
  url           text not null,
  state         text not null default 'queued',
  tries         integer not null default 0,
  next_try_at   timestamptz,
  http_status   integer,
  error         text not null default '',
  created_at    timestamptz not null,
  done_at       timestamptz,
  constraint postback_delivery_key unique (postback_id, history_seq, replay),
  constraint postback_delivery_uuid_key unique (uuid),
  constraint postback_delivery_state_known check (state in ('queued', 'sent', 'dead', 'held'))
);
create index postback_delivery_due on postback_delivery (next_try_at) where state = 'queued';
create index postback_delivery_created on postback_delivery (created_at desc, id desc);
create index postback_delivery_conversion on postback_delivery (conversion_id);

create table postback_attempt (
  id          bigint generated always as identity primary key,
  delivery_id bigint not null references postback_delivery (id) on delete cascade,
  at          timestamptz not null,
  duration_ms integer not null,
  http_status integer,
  error       text not null default '',
  -- the first 500 characters of the answer
  response    text not null default ''
);
create index postback_attempt_delivery on postback_attempt (delivery_id, id);
