-- Links by which advertisers look at their own results without signing in; stored is what tells the token, not the token.
create table advertiser_link (
  id             integer generated always as identity primary key,
  uuid           uuid not null default gen_random_uuid(),
  advertiser_id  integer not null references advertiser (id) on delete cascade,
  name           text not null,
  token_hash     bytea not null,
  created_by     integer references account (id) on delete set null,
  created_at     timestamptz not null,
  expires_at     timestamptz not null,
  revoked_at     timestamptz,
  last_opened_at timestamptz,
  constraint advertiser_link_uuid_key unique (uuid),
  constraint advertiser_link_token_key unique (token_hash)
);
create index advertiser_link_advertiser on advertiser_link (advertiser_id, id desc);
-- what an advertiser is shown, newest first
create index conversion_advertiser on conversion (advertiser_id, created_at desc, id desc);
