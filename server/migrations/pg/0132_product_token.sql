-- What a log-in at an advertiser gave, kept for all leads and pulls of a product until it runs out.
create table product_token (
  product_id   integer not null references product (id) on delete cascade,
  version_id   integer not null references integration_version (id),
  step         text not null,
  -- a mark of the address and the account it was got with: with another one it is worth nothing
  made_of      bytea,
  -- texts by name, as JSON, sealed; null = there is none
  sealed       bytea,
  expires_at   timestamptz,
  -- counts the log-ins: whoever was refused says with which one
  number       integer not null default 0,
  -- one process logs in at a time
  leased_until timestamptz,
  -- log-ins in a row that failed, what the last one came to, and when the next may be tried
  failures     integer not null default 0,
  outcome      text,
  reason       text not null default '',
  retry_at     timestamptz,
  primary key (product_id, version_id, step),
  constraint product_token_outcome_known check (outcome in
    ('rejected', 'duplicate', 'no_capacity', 'temporary', 'config_error')),
  constraint product_token_kept check ((sealed is null) = (expires_at is null) and (sealed is null or made_of is not null))
);
create index product_token_version on product_token (version_id);
