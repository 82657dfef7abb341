-- Payout files: what many affiliates are paid at once, from planning it to what became of each payment.

-- What a source pays from, as its files name it.
alter table payment_source
  add column uuid     uuid not null default gen_random_uuid() unique,
  add column kind     text not null default 'other',
  add column holder   text not null default '',
  add column iban     text not null default '',
  add column bic      text not null default '',
  add column currency text references currency (code),
  add column version  integer not null default 1,
  add constraint payment_source_kind_known check (kind in ('bank', 'paypal', 'wise', 'capitalist', 'crypto', 'other'));

create table payout_file (
  id            integer generated always as identity primary key,
  uuid          uuid not null default gen_random_uuid() unique,
  -- of the call that made it: sent again, it is the same file
  key           uuid not null unique,
  source_id     integer not null references payment_source (id),
  format        text not null,
  currency      text not null references currency (code),
  -- invoices due until this day; money is to move on the other
  due_to        date not null,
  execution_day date not null,
  delimiter     text not null default ',',
  state         text not null default 'draft',
  made_by       integer not null references account (id),
  created_at    timestamptz not null,
  released_by   integer references account (id),
  released_at   timestamptz,
  ended_by      integer references account (id),
  ended_at      timestamptz,
  -- as it was handed out, sealed: it names accounts; the hash is that of what was sealed
  name          text,
  sealed        bytea,
  sha256        bytea,
  constraint payout_file_format_known check (format in ('sepa', 'paypal', 'wise', 'capitalist', 'usdt', 'coinspaid', 'own')),
  constraint payout_file_state_known check (state in ('draft', 'released', 'cancelled', 'recalled')),
  constraint payout_file_frozen check ((state in ('released', 'recalled')) = (sealed is not null) and (sealed is null) = (sha256 is null))
);
create index payout_file_state on payout_file (state, id desc);

-- One payment of a file: all that an affiliate is paid by one method.
create table payout (
  id           integer generated always as identity primary key,
  uuid         uuid not null default gen_random_uuid() unique,
  file_id      integer not null references payout_file (id),
  source_id    integer not null references payment_source (id),
  affiliate_id integer not null references affiliate (id),
  method_id    integer not null references payment_method (id),
  system       text not null,
  -- what the method held when it was planned, sealed as it was; released only while it still does
  held         bytea not null,
  masked       text not null,
  currency     text not null references currency (code),
  amount       numeric not null,
  -- of it, kept back for the fee where the affiliate bears it
  charged      numeric not null default 0,
  reference    text unique,
  state        text not null default 'planned',
  external_id  text not null default '',
  fee          numeric not null default 0,
  reason       text not null default '',
  ended_at     timestamptz,
  constraint payout_state_known check (state in ('planned', 'sent', 'settled', 'failed', 'returned', 'cancelled')),
  constraint payout_amounts check (amount > 0 and charged >= 0 and charged < amount and fee >= 0 and scale(amount) <= 8 and amount < 1e15),
  constraint payout_once unique (file_id, affiliate_id, system)
);
create index payout_of_file on payout (file_id, id);
create unique index payout_external_key on payout (source_id, external_id) where external_id <> '' and state not in ('failed', 'cancelled');

alter table payment
  add column payout_id integer references payout (id),
  add column charged   numeric not null default 0,
  add column fee       numeric not null default 0,
  drop constraint payment_state_known,
  add constraint payment_state_known check (state in ('planned', 'sent', 'settled', 'failed', 'returned', 'cancelled')),
  add constraint payment_fees check (charged >= 0 and charged < amount and fee >= 0);
create index payment_payout on payment (payout_id) where payout_id is not null;
drop index payment_under_way;
create unique index payment_under_way on payment (invoice_id) where state in ('planned', 'sent');
drop index payment_external_key;
create unique index payment_external_key on payment (source_id, external_id) where external_id <> '' and state not in ('failed', 'cancelled');

-- What stands in a file that was not released is reserved: neither open nor sent.
alter table invoice
  add column planned numeric not null default 0.0000,
  drop constraint invoice_not_negative,
  add constraint invoice_not_negative
    check (net >= 0 and vat >= 0 and open >= 0 and planned >= 0 and sent >= 0 and paid >= 0 and offset_prepaid >= 0 and credited >= 0),
  drop constraint invoice_adds_up,
  add constraint invoice_adds_up check (
    case when number is null then open = case when deleted_at is null and status <> 'declined' then net else 0 end and planned = 0
         else total = open + planned + sent + paid + offset_prepaid + credited end);
