-- Where affiliates are paid, in the order it is used. What it holds is sealed; `masked` is what may be shown of it.
create table payment_method (
  id           integer generated always as identity primary key,
  uuid         uuid not null default gen_random_uuid() unique,
  affiliate_id integer not null references affiliate (id),
  system       text not null,
  place        integer not null,
  sealed       bytea not null,
  masked       text not null,
  locked_until timestamptz,
  created_at   timestamptz not null,
  -- invoices keep what they were paid to: nothing is deleted
  removed_at   timestamptz
);
create index payment_method_own on payment_method (affiliate_id, place) where removed_at is null;
