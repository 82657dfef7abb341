-- What managers get of the accounts they look after, by the month: told, and booked nowhere.

-- Terms of their own; who has none has those of the settings.
create table commission_terms (
  manager_id integer primary key references manager (id) on delete cascade,
  basis      text not null,
  percent    numeric(8, 4) not null,
  updated_at timestamptz not null,
  constraint commission_terms_basis_known check (basis in ('profit', 'payout')),
  constraint commission_terms_percent check (percent between 0 and 100)
);

-- Months that were frozen: each once, whoever had a share in it.
create table commission_month (
  month   text primary key check (month ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  made_at timestamptz not null
);

create table commission_statement (
  id         integer generated always as identity primary key,
  uuid       uuid not null default gen_random_uuid() unique,
  month      text not null references commission_month (month),
  manager_id integer not null references manager (id),
  -- to the byte what its hash is of
  content    text not null,
  sha256     text not null,
  constraint commission_statement_once unique (month, manager_id)
);
create trigger commission_statement_append_only before update or delete on commission_statement for each row execute function refuse_change();

alter table document
  drop constraint document_kind_known,
  add constraint document_kind_known check (kind in (
    'invoice', 'credit_note', 'advertiser_invoice', 'advertiser_credit_note', 'statement', 'act', 'advertiser_act', 'commission'));
