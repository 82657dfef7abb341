-- What of an offer is about leads alone: what kind they are, and how long one nobody took is kept.
create table api_offer (
  offer_id         integer primary key references offer (id) on delete cascade,
  integration_type text not null,
  -- kept for the hours of members that are closed, so many hours at most
  wait_hours       integer not null default 0,
  -- so many days a person is not taken for this offer again; null = never
  repeat_days      integer,
  constraint api_offer_wait check (wait_hours between 0 and 168),
  constraint api_offer_repeat check (repeat_days between 0 and 3650)
);

-- An advertiser's system that fails: errors in a row, until when it rests, and whether its account is wrong.
alter table product add column failures integer not null default 0, add column rests_until timestamptz,
  add column blocked boolean not null default false;
drop trigger product_counts on product;
create trigger product_counts before update on product for each row
  execute function next_version('tested_version_id', 'tested_at', 'updated_at', 'failures', 'rests_until', 'blocked');

-- To whom an API offer gives its leads: groups in their order, products in each.
create table offer_group (
  id           integer generated always as identity primary key,
  offer_id     integer not null references offer (id),
  place        integer not null,
  strategy     text not null default 'priority',
  least_sample integer not null default 50,
  explore      integer not null default 10,
  -- how many leads came to it: whose turn it is in round robin
  turns        bigint not null default 0,
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
