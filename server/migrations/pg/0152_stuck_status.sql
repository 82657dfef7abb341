-- By which of their own transactions an advertiser told of a deposit, and which deposit of the lead that was; '' = it named none, or told of none.
alter table lead_status add column transaction text not null default '';
alter table lead_status add column deposit text not null default '';
alter table lead_status add constraint lead_status_deposit_known check (deposit in ('', 'first', 'again'));
update lead_status set deposit = 'first' where status in ('sale', 'shipped', 'delivered') and not noted;
create index lead_status_transaction on lead_status (transaction) where transaction <> '';

-- What advertisers said of leads and nothing could be made of: a call that names no lead of theirs, or a word that could not be booked.
create table stuck_status (
  id            bigint generated always as identity primary key,
  uuid          uuid not null default gen_random_uuid() unique,
  product_id    integer not null references product (id),
  -- the lead it is about; null = nobody knows
  send_id       bigint references lead_send (id),
  kind          text not null,
  reason        text not null,
  -- what they called the lead, and what they said of it
  lead_ref      text not null default '',
  raw           text not null default '',
  amount        text not null default '',
  transaction   text not null default '',
  -- of a booking: which goal was to be booked, and as what
  goal          text not null default '',
  status        text not null default '',
  -- what their call held, people taken out of it
  params        jsonb not null default '{}',
  -- of calls that say the same there is one row
  digest        bytea not null,
  seen          integer not null default 1,
  first_seen_at timestamptz not null,
  last_seen_at  timestamptz not null,
  state         text not null default 'open',
  outcome       text not null default '',
  note          text not null default '',
  account_id    integer references account (id),
  settled_at    timestamptz,
  constraint stuck_status_kind_known check (kind in ('push', 'booking')),
  constraint stuck_status_state_known check (state in ('open', 'settled', 'dismissed')),
  constraint stuck_status_once unique (product_id, digest)
);
create index stuck_status_open on stuck_status (first_seen_at) where state = 'open';
create index stuck_status_send on stuck_status (send_id) where send_id is not null;
