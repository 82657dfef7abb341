-- Conversions, their history, the ledger, currency rates, and the outbox to ClickHouse.

create table conversion (
  id             bigint generated always as identity primary key,
  uuid           uuid not null default gen_random_uuid(),
  offer_id       integer not null references offer (id),
  goal_id        integer not null references goal (id),
  affiliate_id   integer not null references affiliate (id),
  advertiser_id  integer not null references advertiser (id),
  -- our click id in its canonical lower-case form; the row in ClickHouse is found by affiliate, click_at and the id's random part
  click_id       text not null,
  click_at       timestamptz not null,
  transaction_id text,
  status         text not null,
  payment_state  text not null default 'open',
  reason         text not null default '',
  -- in `currency`, which is the offer's; amount = what the advertiser reported, converted
  payout         numeric(18,4) not null,
  revenue        numeric(18,4) not null,
  amount         numeric(18,4),
  currency       text not null,
  -- the payout rule as it was
  rule           jsonb not null,
  -- hold ends at this moment
  hold_until     timestamptz,
  -- the day whose cap it holds a place in; null = none
  cap_day        date,
  test           boolean not null default false,
  -- dimensions copied from the click
  landing        integer not null default 0,
  prelanding     integer not null default 0,
  geo            text not null default '',
  device         text not null default '',
  os             text not null default '',
  browser        text not null default '',
  lang           text not null default '',
  source         text not null default '',
  subs           text[] not null default '{}',
  aff_click_id   text not null default '',
  ip             text not null default '',
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  constraint conversion_uuid_key unique (uuid),
  constraint conversion_status_known check (status in ('pending', 'hold', 'approved', 'declined', 'trash')),
  constraint conversion_payment_known check (payment_state in ('open', 'invoiced', 'paid')),
  constraint conversion_not_negative check (payout >= 0 and revenue >= 0 and (amount is null or amount >= 0)),
  constraint conversion_hold_has_end check (status <> 'hold' or hold_until is not null)
);
-- Identity: the advertiser's transaction where it sends one, else the click.
create unique index conversion_transaction_key on conversion (offer_id, goal_id, transaction_id) where transaction_id is not null;
create unique index conversion_click_key on conversion (click_id, goal_id) where transaction_id is null;
create index conversion_click on conversion (click_id);
create index conversion_affiliate on conversion (affiliate_id, created_at desc, id desc);
create index conversion_created on conversion (created_at desc, id desc);
create index conversion_offer on conversion (offer_id, created_at desc);
create index conversion_hold on conversion (hold_until) where status = 'hold';

-- One hash chain per affiliate: `hash` = sha256(previous hash || canonical JSON of `body`), `seq` without gaps.
create table conversion_history (
  affiliate_id  integer not null references affiliate (id),
  seq           integer not null,
  conversion_id bigint not null references conversion (id),
  at            timestamptz not null,
  from_status   text,
  to_status     text not null,
  reason        text not null default '',
  -- postback, staff, import, rule
  origin        text not null,
  actor_id      integer,
  body          jsonb not null,
  hash          bytea not null,
  primary key (affiliate_id, seq)
);
create index conversion_history_conversion on conversion_history (conversion_id, seq);
create trigger conversion_history_append_only before update or delete on conversion_history for each row execute function refuse_change();

-- The head of each chain: locking its row orders the writers of one affiliate.
create table history_head (
  affiliate_id integer primary key references affiliate (id),
  seq          integer not null,
  hash         bytea not null
);

-- Double-entry ledger. Balances are kept beside the accounts and always equal the sum of their entries.
create table ledger_account (
  id       integer generated always as identity primary key,
  kind     text not null,
  -- affiliate id or advertiser id, by kind
  owner_id integer not null,
  currency text not null,
  balance  numeric(18,4) not null default 0,
  constraint ledger_account_key unique (kind, owner_id, currency),
  -- receivable, network_revenue: advertiser; payout_cost, affiliate_hold, affiliate_available, affiliate_invoiced, affiliate_paid: affiliate
  constraint ledger_account_kind_known check (kind in ('receivable', 'network_revenue', 'payout_cost', 'affiliate_hold', 'affiliate_available', 'affiliate_invoiced', 'affiliate_paid'))
);

create table ledger_transfer (
  id            bigint generated always as identity primary key,
  at            timestamptz not null,
  kind          text not null,
  conversion_id bigint references conversion (id),
  -- what makes the same booking the same: a repeat is refused by the database
  key           text not null,
  constraint ledger_transfer_key_key unique (key)
);
create index ledger_transfer_conversion on ledger_transfer (conversion_id);

create table ledger_entry (
  id          bigint generated always as identity primary key,
  transfer_id bigint not null references ledger_transfer (id),
  account_id  integer not null references ledger_account (id),
  -- positive = debit, negative = credit
  amount      numeric(18,4) not null,
  constraint ledger_entry_not_zero check (amount <> 0)
);
create index ledger_entry_transfer on ledger_entry (transfer_id);
create index ledger_entry_account on ledger_entry (account_id, id);

create trigger ledger_transfer_append_only before update or delete on ledger_transfer for each row execute function refuse_change();
create trigger ledger_entry_append_only before update or delete on ledger_entry for each row execute function refuse_change();

-- Checked at commit: a transfer sums to zero, and stays within one currency.
create function ledger_transfer_balanced() returns trigger language plpgsql as $$
begin
  if (select sum(e.amount) <> 0 or count(distinct a.currency) <> 1
        from ledger_entry e join ledger_account a on a.id = e.account_id where e.transfer_id = new.transfer_id) then
    raise exception 'ledger transfer % is not balanced', new.transfer_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger ledger_entry_balanced after insert on ledger_entry
  deferrable initially deferred for each row execute function ledger_transfer_balanced();

-- 1 unit of `currency` is worth `rate` units of `base` on that day.
create table currency_rate (
  base     text not null,
  currency text not null,
  day      date not null,
  rate     numeric(18,8) not null check (rate > 0),
  primary key (base, currency, day)
);

-- Facts on their way to ClickHouse, in the order of their ids; `batch` is stamped once and never changes.
create table outbox (
  id         bigint generated always as identity primary key,
  batch      bigint,
  fact       jsonb not null,
  created_at timestamptz not null default now()
);
create index outbox_batch on outbox (batch, id);
create sequence outbox_batch_number;
