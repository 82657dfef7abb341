-- When a product is asked what became of its leads, and how that went; apart from the product, which people save.
create table product_pull (
  product_id   integer primary key references product (id),
  due_at       timestamptz not null,
  leased_until timestamptz,
  pulled_at    timestamptz,
  -- '' = the last time went well
  error        text not null default '',
  -- times in a row that went wrong, or told nothing of leads that are open
  failures     integer not null default 0,
  silent       integer not null default 0
);
create index product_pull_due on product_pull (due_at);

-- What advertisers said of a lead, each change once.
create table lead_status (
  id      bigint generated always as identity primary key,
  send_id bigint not null references lead_send (id),
  at      timestamptz not null,
  source  text not null,
  raw     text not null,
  -- in our words; null = nobody has said yet what theirs means
  status  text,
  sale    boolean not null,
  amount  text not null default '',
  -- what it came to in the books; '' = nothing
  booked  text not null default '',
  constraint lead_status_source_known check (source in ('pull', 'push'))
);
create index lead_status_send on lead_status (send_id, id);

-- Words of advertisers nobody has mapped: a person says what they mean.
create table lead_word (
  integration_id integer not null references integration (id),
  word           text not null,
  first_seen_at  timestamptz not null,
  last_seen_at   timestamptz not null,
  seen           integer not null default 1,
  primary key (integration_id, word)
);

-- Where people go on after an advertiser took them: an address of ours that opens once.
create table lead_entry (
  token_hash bytea primary key,
  send_id    bigint not null references lead_send (id),
  expires_at timestamptz not null,
  used_at    timestamptz
);
create index lead_entry_expires on lead_entry (expires_at);
