-- Keys by which programs call the API in somebody's name.
create table api_key (
  id           integer generated always as identity primary key,
  uuid         uuid not null default gen_random_uuid(),
  account_id   integer not null references account (id) on delete cascade,
  name         text not null,
  -- sha256 of the key: a stolen backup calls nothing
  token_hash   bytea not null,
  -- its last characters, by which people tell theirs apart
  hint         text not null,
  scopes       text[] not null,
  -- addresses and networks it may be used from; none = any
  allowed_ips  text[] not null,
  created_at   timestamptz not null,
  expires_at   timestamptz,
  -- written once a minute at most
  last_used_at timestamptz,
  last_address text not null default '',
  revoked_at   timestamptz,
  revoked_by   integer references account (id) on delete set null,
  constraint api_key_uuid_key unique (uuid),
  constraint api_key_token_hash_key unique (token_hash)
);
create index api_key_account on api_key (account_id);

-- which key made a change; the log outlives it
alter table audit add column key_id integer;

-- addresses and networks a member of staff may work from; none = those of the role
alter table account add column allowed_ips text[] not null default '{}';

-- who acts as an affiliate only looks, until they say why they have to change something
alter table session add column changes_reason text;
alter table session add constraint session_changes_acting check (changes_reason is null or acting_from_id is not null);
