-- The second factor of a sign-in (TOTP, RFC 6238), and the codes for who lost it.

create table second_factor (
  account_id   integer primary key references account (id) on delete cascade,
  -- sealed with the instance's key: a stolen backup makes no codes
  secret       bytea not null,
  -- the time step of the code used last; neither it nor an earlier one is taken again
  last_step    bigint not null default 0,
  begun_at     timestamptz not null,
  -- null until a first code has shown that the app holds the secret
  confirmed_at timestamptz
);

create table recovery_code (
  account_id integer not null references second_factor (account_id) on delete cascade,
  code_hash  bytea not null,
  used_at    timestamptz,
  primary key (account_id, code_hash)
);
