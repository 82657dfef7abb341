-- What a call with an Idempotency-Key was answered, for a day: the same call again gets it, and changes nothing.
create table kept_answer (
  account_id integer not null references account (id) on delete cascade,
  key        text not null,
  -- of the call: another one under the same key is refused
  hash       bytea not null,
  -- it may hold a secret that is shown once
  sealed     bytea,
  created_at timestamptz not null,
  primary key (account_id, key)
);
create index kept_answer_created on kept_answer (created_at);
