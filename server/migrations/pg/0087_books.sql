-- What the nightly comparison of the books found, and why an admin lets payout files be released all the same.
create table books_check (
  id int generated always as identity primary key,
  at timestamptz not null,
  differences jsonb not null,
  -- what differs by how much, as one word; '' = nothing
  fingerprint text not null
);
create index books_check_at on books_check (at desc, id desc);
create trigger books_check_append_only before update or delete on books_check for each row execute function refuse_change();

create table books_note (
  id int generated always as identity primary key,
  at timestamptz not null,
  account_id int not null references account (id),
  -- the differences it is about: others take another note
  fingerprint text not null,
  reason text not null
);
create index books_note_fingerprint on books_note (fingerprint, id);
create trigger books_note_append_only before update or delete on books_note for each row execute function refuse_change();

-- The trial balance of a month that is over, as it was on the second of the next one.
create table trial_balance (
  month text primary key,
  uuid uuid not null default gen_random_uuid() unique,
  content text not null,
  sha256 text not null,
  made_at timestamptz not null,
  constraint trial_balance_month check (month ~ '^\d{4}-\d{2}$')
);
create trigger trial_balance_append_only before update or delete on trial_balance for each row execute function refuse_change();
