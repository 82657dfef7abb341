-- How an advertiser's system reports, version after version: what was read by one stays explained, so none is ever changed.
create table advertiser_dialect (
  advertiser_id integer not null references advertiser (id) on delete cascade,
  version       integer not null,
  -- null = read as any other call from here on
  dialect       jsonb,
  -- what a header signs bodies with, sealed; null = the tokens alone
  secret        bytea,
  account_id    integer references account (id) on delete set null,
  created_at    timestamptz not null,
  primary key (advertiser_id, version)
);

-- Presets by whose words a real call was taken: until then they are what documentation says.
create table preset_seen (
  preset  text primary key,
  seen_at timestamptz not null
);

alter table postback_in
  -- the dialect of the advertiser it was read by; null = none
  add dialect_version integer,
  -- of what is kept and not understood: calls of one advertiser that look alike
  add shape text not null default '';
create index postback_in_shape on postback_in (advertiser_id, shape, id) where shape <> '';
