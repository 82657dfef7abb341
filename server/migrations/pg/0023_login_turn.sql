-- Tries of an account that was guessed at are answered one after the other: each has its turn.
alter table login_attempt add column turn_at timestamptz;

-- Where an account has signed in from: there its owner does not wait behind the guesses of strangers.
create table login_place (
  account_id integer not null references account (id) on delete cascade,
  -- an IPv4 address, or the /64 of an IPv6 one
  address    text not null,
  seen_at    timestamptz not null,
  primary key (account_id, address)
);
