-- Commission for bringing others: up to three levels, booked by month, kept back where who was brought seems to be who brought.

alter table referral drop constraint referral_pkey;
alter table referral
  add column id         integer generated always as identity primary key,
  add column uuid       uuid not null default gen_random_uuid() unique,
  -- 1 = who came by the code; 2 and 3 = whom those brought in turn
  add column level      smallint not null default 1,
  -- clear: nothing is suspicious; held: not paid until staff decide; released, refused: they have
  add column state      text not null default 'clear',
  -- what both have in common
  add column causes     text[] not null default '{}',
  add column held_at    timestamptz,
  add column decided_at timestamptz,
  add column decided_by integer references account (id) on delete set null,
  -- why it was released or refused
  add column reason     text not null default '',
  add constraint referral_level_known check (level between 1 and 3),
  add constraint referral_state_known check (state in ('clear', 'held', 'released', 'refused')),
  add constraint referral_once unique (affiliate_id, level);
create index referral_held on referral (id) where state = 'held';

-- What a referral came to in a month, in the zone of the network. A row that is on an invoice stays as it is: what changes later is the next one.
create table referral_month (
  id          bigint generated always as identity primary key,
  referral_id integer not null references referral (id),
  -- its first day
  month       date not null,
  currency    text not null references currency (code),
  n           smallint not null,
  -- the sum of its bookings, and how many there were
  amount      numeric not null default 0.0000,
  bookings    integer not null default 0,
  -- of the first row, for all of them: the share of what was approved, and how much of it was earned while the referrer was active
  target      numeric not null default 0.0000,
  claim       numeric not null default 0.0000,
  updated_at  timestamptz not null,
  constraint referral_month_once unique (referral_id, month, currency, n),
  constraint referral_month_first check (extract(day from month) = 1 and n > 0),
  constraint referral_month_exact check (scale(amount) <= 8 and abs(amount) < 1e15 and scale(target) <= 8 and scale(claim) <= 8)
);

alter table invoice_line
  add column referral_month_id bigint references referral_month (id),
  drop constraint invoice_line_kind_known,
  add constraint invoice_line_kind_known check (kind in ('conversion', 'correction', 'adjustment', 'referral')),
  drop constraint invoice_line_of_one,
  add constraint invoice_line_of_one check (
    num_nonnulls(conversion_id, adjustment_id, referral_month_id) = 1
    and (kind = 'adjustment') = (adjustment_id is not null) and (kind = 'referral') = (referral_month_id is not null));
create unique index invoice_line_referral_once on invoice_line (referral_month_id) where live;

-- By which two accounts are known to be paid at the same place: keyed, nothing can be read of it. null = not computed yet.
alter table payment_method add column mark bytea;
create index payment_method_mark on payment_method (mark) where mark <> '';
