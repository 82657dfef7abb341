-- A code that was mailed to confirm one change of where an account is paid: another change takes another code.
create table payment_code (
  account_id integer primary key references account (id) on delete cascade,
  code_hash  bytea not null,
  -- of the change it confirms
  change     bytea not null,
  tries      integer not null default 0,
  expires_at timestamptz not null
);
