-- Invoices of affiliates, what stands on them, and how they were paid.

create table invoice (
  id             integer generated always as identity primary key,
  uuid           uuid not null default gen_random_uuid() unique,
  affiliate_id   integer not null references affiliate (id),
  currency       text not null references currency (code),
  status         text not null default 'draft',
  -- given at approval, without gaps in its series
  series         text,
  series_number  integer,
  number         text unique,
  number_day     date,
  -- days of `time_zone`; null = from the beginning
  period_from    date,
  period_to      date not null,
  time_zone      text not null,
  -- net = the lines, rounded to the decimals of the currency; total = net + vat
  net            numeric not null default 0.0000,
  vat_category   text not null default 'O',
  vat_rate       numeric(6,3) not null default 0,
  vat            numeric not null default 0.0000,
  total          numeric not null default 0.0000,
  -- total = open + sent + paid + offset_prepaid + credited; of one that has no number yet open is its net
  open           numeric not null default 0.0000,
  sent           numeric not null default 0.0000,
  paid           numeric not null default 0.0000,
  offset_prepaid numeric not null default 0.0000,
  credited       numeric not null default 0.0000,
  payment_system text not null default '',
  due_day        date,
  -- the affiliate reads it
  note           text not null default '',
  internal_note  text not null default '',
  -- why it was declined or cancelled
  reason         text not null default '',
  -- of the change that is asked for next: whoever saw an older one is refused
  revision       integer not null default 1,
  run_row_id     bigint unique,
  made_by        integer references account (id),
  edited_by      integer references account (id),
  created_at     timestamptz not null,
  updated_at     timestamptz not null,
  sent_at        timestamptz,
  approved_at    timestamptz,
  paid_at        timestamptz,
  deleted_at     timestamptz,
  constraint invoice_status_known check (status in ('draft', 'waiting', 'approved', 'partly_paid', 'paid', 'declined', 'cancelled')),
  constraint invoice_vat_category_known check (vat_category in ('S', 'AE', 'E', 'O')),
  constraint invoice_number_whole check ((number is null) = (series is null) and (number is null) = (series_number is null)),
  constraint invoice_numbered check ((number is not null) = (status in ('approved', 'partly_paid', 'paid', 'cancelled'))),
  constraint invoice_deleted check (deleted_at is null or status in ('draft', 'waiting', 'declined')),
  constraint invoice_not_negative check (net >= 0 and vat >= 0 and open >= 0 and sent >= 0 and paid >= 0 and offset_prepaid >= 0 and credited >= 0),
  constraint invoice_adds_up check (
    case when number is null then open = case when deleted_at is null and status <> 'declined' then net else 0 end
         else total = open + sent + paid + offset_prepaid + credited end),
  constraint invoice_amounts_exact check (scale(net) <= 8 and scale(vat) <= 8 and scale(total) <= 8 and abs(total) < 1e15)
);
create unique index invoice_series_key on invoice (series, series_number);
create index invoice_affiliate on invoice (affiliate_id, id desc);
create index invoice_status on invoice (status, id desc);

-- What an affiliate is given or charged beside conversions.
create table adjustment (
  id           integer generated always as identity primary key,
  affiliate_id integer not null references affiliate (id),
  currency     text not null references currency (code),
  kind         text not null,
  amount       numeric not null,
  note         text not null,
  made_by      integer references account (id),
  created_at   timestamptz not null,
  -- taken back before it stood on an issued invoice
  void_at      timestamptz,
  constraint adjustment_kind_known check (kind in ('bonus', 'correction')),
  constraint adjustment_amount check (amount <> 0 and (kind <> 'bonus' or amount > 0) and scale(amount) <= 8 and abs(amount) < 1e15)
);
create index adjustment_open on adjustment (affiliate_id, currency) where void_at is null;

create table invoice_line (
  id            bigint generated always as identity primary key,
  invoice_id    integer not null references invoice (id),
  kind          text not null,
  conversion_id bigint references conversion (id),
  adjustment_id integer references adjustment (id),
  -- as they were when the line was made
  amount        numeric not null,
  status        text not null default '',
  -- false once its invoice was declined, deleted or cancelled
  live          boolean not null default true,
  -- its invoice has no number yet
  unissued      boolean not null default true,
  constraint invoice_line_kind_known check (kind in ('conversion', 'correction', 'adjustment')),
  constraint invoice_line_of_one check (num_nonnulls(conversion_id, adjustment_id) = 1 and (kind = 'adjustment') = (adjustment_id is not null)),
  constraint invoice_line_exact check (scale(amount) <= 8 and abs(amount) < 1e15)
);
create index invoice_line_invoice on invoice_line (invoice_id, id);
create index invoice_line_conversion on invoice_line (conversion_id) where conversion_id is not null;
-- nothing that was earned is on two invoices
create unique index invoice_line_conversion_once on invoice_line (conversion_id) where live and kind = 'conversion';
create unique index invoice_line_correction_once on invoice_line (conversion_id) where live and kind = 'correction' and unissued;
create unique index invoice_line_adjustment_once on invoice_line (adjustment_id) where live;

-- What can be put on an invoice, and what has changed since it was.
create index conversion_payable on conversion (affiliate_id, currency, created_at) where status = 'approved' and payment_state = 'open' and not test;
create index conversion_changed on conversion (affiliate_id, id)
  where payment_state <> 'open' and invoiced <> case when status = 'approved' then payout else 0 end;

create table invoice_history (
  id          bigint generated always as identity primary key,
  invoice_id  integer not null references invoice (id),
  at          timestamptz not null,
  actor_id    integer references account (id),
  -- made, edited, sent, taken_back, approved, declined, deleted, cancelled, payment_sent, payment_settled, payment_failed
  event       text not null,
  from_status text,
  to_status   text not null,
  revision    integer not null,
  reason      text not null default ''
);
create index invoice_history_invoice on invoice_history (invoice_id, id);
create trigger invoice_history_append_only before update or delete on invoice_history for each row execute function refuse_change();

-- Locked and counted up within the transaction that uses the number: a rollback gives it back.
create table number_series (
  series   text primary key,
  last     integer not null default 0,
  last_day date not null
);

create table credit_note (
  id            integer generated always as identity primary key,
  uuid          uuid not null default gen_random_uuid() unique,
  invoice_id    integer not null unique references invoice (id),
  series        text not null,
  series_number integer not null,
  number        text not null unique,
  net           numeric not null,
  vat           numeric not null,
  total         numeric not null,
  reason        text not null,
  made_by       integer references account (id),
  created_at    timestamptz not null,
  constraint credit_note_series_key unique (series, series_number)
);

-- Where money leaves from: a bank account, a wallet. Its `cash` account is what was booked here.
create table payment_source (
  id     integer generated always as identity primary key,
  name   text not null,
  active boolean not null default true
);
insert into payment_source (name) values ('Main account');

create table payment (
  id           integer generated always as identity primary key,
  uuid         uuid not null default gen_random_uuid() unique,
  -- of the call that made it: sent again, it is the same payment
  key          uuid not null unique,
  affiliate_id integer not null references affiliate (id),
  invoice_id   integer not null references invoice (id),
  source_id    integer not null references payment_source (id),
  currency     text not null references currency (code),
  amount       numeric not null,
  -- of the amount; the rest is paid in advance
  on_invoice   numeric not null,
  state        text not null,
  day          date not null,
  external_id  text not null default '',
  note         text not null default '',
  made_by      integer references account (id),
  created_at   timestamptz not null,
  settled_at   timestamptz,
  constraint payment_state_known check (state in ('sent', 'settled', 'failed')),
  constraint payment_amounts check (amount > 0 and on_invoice > 0 and on_invoice <= amount and scale(amount) <= 8 and amount < 1e15)
);
create index payment_invoice on payment (invoice_id, id);
create index payment_affiliate on payment (affiliate_id, id desc);
create unique index payment_under_way on payment (invoice_id) where state = 'sent';
create unique index payment_external_key on payment (source_id, external_id) where external_id <> '' and state <> 'failed';

-- Prepaid money used on invoices, until it is taken back.
create table invoice_offset (
  id         integer generated always as identity primary key,
  invoice_id integer not null references invoice (id),
  amount     numeric not null check (amount > 0),
  created_at timestamptz not null,
  back_at    timestamptz
);
create index invoice_offset_invoice on invoice_offset (invoice_id);

-- Invoices of many affiliates made at once: what remains when a process dies is taken up again.
create table billing_run (
  id         integer generated always as identity primary key,
  uuid       uuid not null default gen_random_uuid() unique,
  key        uuid not null unique,
  period_from date,
  period_to  date not null,
  time_zone  text not null,
  made_by    integer references account (id),
  created_at timestamptz not null
);
create table billing_run_row (
  id           bigint generated always as identity primary key,
  run_id       integer not null references billing_run (id),
  affiliate_id integer not null references affiliate (id),
  currency     text not null references currency (code),
  -- what the preview said
  expected     numeric not null,
  state        text not null default 'waiting',
  invoice_id   integer references invoice (id),
  reason       text not null default '',
  constraint billing_run_row_key unique (run_id, affiliate_id, currency),
  constraint billing_run_row_state_known check (state in ('waiting', 'made', 'nothing', 'failed'))
);
create index billing_run_row_waiting on billing_run_row (id) where state = 'waiting';
alter table invoice add constraint invoice_run_row_fkey foreign key (run_row_id) references billing_run_row (id);

-- A transfer names its document.
alter table ledger_transfer
  add column invoice_id    integer references invoice (id),
  add column payment_id    integer references payment (id),
  add column adjustment_id integer references adjustment (id),
  add constraint ledger_transfer_one_document check (num_nonnulls(conversion_id, invoice_id, payment_id, adjustment_id) <= 1);
create index ledger_transfer_invoice on ledger_transfer (invoice_id) where invoice_id is not null;
