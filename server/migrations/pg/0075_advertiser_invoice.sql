-- What advertisers are asked to pay, and what they paid.

-- Terms of an advertiser's invoices; without a row those of the network hold.
create table advertiser_billing (
  advertiser_id integer primary key references advertiser (id),
  -- null = the network's
  net_days      integer,
  include_hold  boolean,
  -- '' = the advertiser's own address
  email         text not null default '',
  language      text not null default 'en',
  vat_category  text not null default 'O',
  vat_rate      numeric(6,3) not null default 0,
  remind        boolean not null default true,
  revision      integer not null default 1,
  updated_at    timestamptz not null,
  constraint advertiser_billing_days check (net_days between 0 and 365),
  constraint advertiser_billing_language_known check (language in ('en', 'uk')),
  constraint advertiser_billing_vat_category_known check (vat_category in ('S', 'AE', 'E', 'O'))
);

-- How much an advertiser may owe in a currency; nothing where it pays in advance. `blocked_at`: its clicks go to trafficback since.
create table advertiser_credit (
  advertiser_id integer not null references advertiser (id),
  currency      text not null references currency (code),
  credit_limit  numeric not null,
  warned_at     timestamptz,
  blocked_at    timestamptz,
  primary key (advertiser_id, currency),
  constraint advertiser_credit_limit check (credit_limit >= 0 and scale(credit_limit) <= 8 and credit_limit < 1e15)
);
create index advertiser_credit_blocked on advertiser_credit (advertiser_id) where blocked_at is not null;

create table advertiser_invoice (
  id             integer generated always as identity primary key,
  uuid           uuid not null default gen_random_uuid() unique,
  -- of the call that made it: sent again, it is the same invoice
  key            uuid,
  advertiser_id  integer not null references advertiser (id),
  currency       text not null references currency (code),
  status         text not null default 'draft',
  -- given at issue, without gaps in its series
  series         text,
  series_number  integer,
  number         text unique,
  number_day     date,
  -- days of `time_zone`; null = from the beginning
  period_from    date,
  period_to      date not null,
  time_zone      text not null,
  net            numeric not null default 0.0000,
  vat_category   text not null default 'O',
  vat_rate       numeric(6,3) not null default 0,
  vat            numeric not null default 0.0000,
  total          numeric not null default 0.0000,
  open           numeric not null default 0.0000,
  received       numeric not null default 0.0000,
  offset_prepaid numeric not null default 0.0000,
  credited       numeric not null default 0.0000,
  written_off    numeric not null default 0.0000,
  due_day        date not null,
  -- the advertiser reads it
  note           text not null default '',
  internal_note  text not null default '',
  -- why it was written off
  reason         text not null default '',
  -- who it was made out to, as that was when it was issued
  billed_to      jsonb,
  -- the highest day after it was due on which the advertiser was reminded, and when the last time
  reminded_day   integer not null default 0,
  reminded_at    timestamptz,
  revision       integer not null default 1,
  made_by        integer references account (id),
  edited_by      integer references account (id),
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  issued_at      timestamptz,
  paid_at        timestamptz,
  deleted_at     timestamptz,
  constraint advertiser_invoice_status_known check (status in ('draft', 'issued', 'partly_paid', 'paid', 'credited', 'written_off')),
  constraint advertiser_invoice_vat_category_known check (vat_category in ('S', 'AE', 'E', 'O')),
  constraint advertiser_invoice_number_whole check ((number is null) = (series is null) and (number is null) = (series_number is null) and (number is null) = (billed_to is null)),
  constraint advertiser_invoice_numbered check ((number is null) = (status = 'draft')),
  constraint advertiser_invoice_deleted check (deleted_at is null or status = 'draft'),
  constraint advertiser_invoice_not_negative check (
    (net > 0 or status = 'draft') and open >= 0 and received >= 0 and offset_prepaid >= 0 and credited >= 0 and written_off >= 0),
  constraint advertiser_invoice_adds_up check (
    total = net + vat and case when number is null then open + received + offset_prepaid + credited + written_off = 0
         else total = open + received + offset_prepaid + credited + written_off end),
  constraint advertiser_invoice_amounts_exact check (scale(net) <= 8 and scale(vat) <= 8 and scale(total) <= 8 and abs(total) < 1e15)
);
create unique index advertiser_invoice_series_key on advertiser_invoice (series, series_number);
create unique index advertiser_invoice_key on advertiser_invoice (key, advertiser_id, currency);
create index advertiser_invoice_advertiser on advertiser_invoice (advertiser_id, id desc);
create index advertiser_invoice_open on advertiser_invoice (due_day) where open > 0;

-- What an advertiser is charged or let off beside conversions.
create table advertiser_adjustment (
  id            integer generated always as identity primary key,
  advertiser_id integer not null references advertiser (id),
  currency      text not null references currency (code),
  kind          text not null,
  amount        numeric not null,
  note          text not null,
  made_by       integer references account (id),
  created_at    timestamptz not null,
  -- taken back before it stood on an issued invoice
  void_at       timestamptz,
  constraint advertiser_adjustment_kind_known check (kind in ('discount', 'minimum', 'fee')),
  constraint advertiser_adjustment_amount check (
    amount <> 0 and (kind <> 'discount' or amount < 0) and (kind <> 'minimum' or amount > 0) and scale(amount) <= 8 and abs(amount) < 1e15)
);
create index advertiser_adjustment_open on advertiser_adjustment (advertiser_id, currency) where void_at is null;

create table advertiser_credit_note (
  id            integer generated always as identity primary key,
  uuid          uuid not null default gen_random_uuid() unique,
  invoice_id    integer not null references advertiser_invoice (id),
  -- over all that is left of the invoice, or over what has changed since
  kind          text not null,
  series        text not null,
  series_number integer not null,
  number        text not null unique,
  number_day    date not null,
  net           numeric not null,
  vat           numeric not null,
  total         numeric not null,
  reason        text not null,
  made_by       integer references account (id),
  created_at    timestamptz not null,
  constraint advertiser_credit_note_series_key unique (series, series_number),
  constraint advertiser_credit_note_kind_known check (kind in ('whole', 'changed')),
  constraint advertiser_credit_note_total check (total = net + vat and total > 0)
);
create index advertiser_credit_note_invoice on advertiser_credit_note (invoice_id);

create table advertiser_invoice_line (
  id             bigint generated always as identity primary key,
  invoice_id     integer not null references advertiser_invoice (id),
  -- of a credit note: what it takes back, below zero
  credit_note_id integer references advertiser_credit_note (id),
  kind           text not null,
  conversion_id  bigint references conversion (id),
  adjustment_id  integer references advertiser_adjustment (id),
  amount         numeric not null,
  -- false once its invoice was deleted, or credited as a whole
  live           boolean not null default true,
  issued         boolean not null default false,
  constraint advertiser_invoice_line_kind_known check (kind in ('conversion', 'correction', 'adjustment', 'credit')),
  constraint advertiser_invoice_line_of_one check (num_nonnulls(conversion_id, adjustment_id) = 1 and (kind = 'adjustment') = (adjustment_id is not null)),
  constraint advertiser_invoice_line_exact check (scale(amount) <= 8 and abs(amount) < 1e15)
);
create index advertiser_invoice_line_invoice on advertiser_invoice_line (invoice_id, id);
create index advertiser_invoice_line_conversion on advertiser_invoice_line (conversion_id) where conversion_id is not null;
-- nothing that was earned is on two invoices
create unique index advertiser_invoice_line_conversion_once on advertiser_invoice_line (conversion_id) where live and kind = 'conversion';
create unique index advertiser_invoice_line_draft_once on advertiser_invoice_line (conversion_id) where live and not issued;
create unique index advertiser_invoice_line_adjustment_once on advertiser_invoice_line (adjustment_id) where live;

-- What was earned and stands on no issued invoice of its advertiser, or has become something else since it does.
create index conversion_billable on conversion (advertiser_id, currency, created_at)
  where not test and billed <> case when status in ('hold', 'approved') then revenue else 0 end;
create index conversion_rebilled on conversion (advertiser_id)
  where not test and billed <> 0 and billed <> case when status in ('hold', 'approved') then revenue else 0 end;

create table advertiser_invoice_history (
  id          bigint generated always as identity primary key,
  invoice_id  integer not null references advertiser_invoice (id),
  at          timestamptz not null,
  actor_id    integer references account (id),
  -- made, edited, issued, received, released, offset_back, credited, written_off, recovered, reminded, deleted
  event       text not null,
  from_status text,
  to_status   text not null,
  revision    integer not null,
  reason      text not null default ''
);
create index advertiser_invoice_history_invoice on advertiser_invoice_history (invoice_id, id);
create trigger advertiser_invoice_history_append_only before update or delete on advertiser_invoice_history for each row execute function refuse_change();

-- What an advertiser paid. `parts` say which invoices it was for; the rest is paid in advance.
create table receipt (
  id            integer generated always as identity primary key,
  uuid          uuid not null default gen_random_uuid() unique,
  -- of the call that made it: sent again, it is the same receipt
  key           uuid not null unique,
  advertiser_id integer not null references advertiser (id),
  source_id     integer not null references payment_source (id),
  currency      text not null references currency (code),
  amount        numeric not null,
  day           date not null,
  external_id   text not null default '',
  note          text not null default '',
  state         text not null default 'booked',
  -- of what was paid in advance
  paid_back     numeric not null default 0,
  reason        text not null default '',
  revision      integer not null default 1,
  made_by       integer references account (id),
  created_at    timestamptz not null,
  ended_at      timestamptz,
  constraint receipt_state_known check (state in ('booked', 'bounced')),
  constraint receipt_amount check (amount > 0 and scale(amount) <= 8 and amount < 1e15 and paid_back >= 0 and paid_back <= amount)
);
create index receipt_advertiser on receipt (advertiser_id, id desc);
create unique index receipt_external_key on receipt (source_id, external_id) where external_id <> '' and state <> 'bounced';

create table receipt_part (
  id         integer generated always as identity primary key,
  receipt_id integer not null references receipt (id),
  invoice_id integer not null references advertiser_invoice (id),
  amount     numeric not null check (amount > 0),
  -- of it: a credit note over a paid invoice makes it prepaid again, as does another choice of invoices
  released   numeric not null default 0,
  -- paid what was written off already
  recovered  boolean not null default false,
  created_at timestamptz not null,
  constraint receipt_part_released check (released >= 0 and released <= amount)
);
create index receipt_part_receipt on receipt_part (receipt_id);
create index receipt_part_invoice on receipt_part (invoice_id);

-- Prepaid money used on an advertiser's invoices, until it is taken back.
create table advertiser_offset (
  id         integer generated always as identity primary key,
  invoice_id integer not null references advertiser_invoice (id),
  amount     numeric not null check (amount > 0),
  created_at timestamptz not null,
  back_at    timestamptz
);
create index advertiser_offset_invoice on advertiser_offset (invoice_id);

-- A transfer names its document.
alter table ledger_transfer
  add column advertiser_invoice_id    integer references advertiser_invoice (id),
  add column receipt_id               integer references receipt (id),
  add column advertiser_adjustment_id integer references advertiser_adjustment (id),
  drop constraint ledger_transfer_one_document,
  add constraint ledger_transfer_one_document check (
    num_nonnulls(conversion_id, invoice_id, payment_id, adjustment_id, advertiser_invoice_id, receipt_id, advertiser_adjustment_id) <= 1);
create index ledger_transfer_advertiser_invoice on ledger_transfer (advertiser_invoice_id) where advertiser_invoice_id is not null;
create index ledger_transfer_receipt on ledger_transfer (receipt_id) where receipt_id is not null;
