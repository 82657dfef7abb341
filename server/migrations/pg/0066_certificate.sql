-- Certificates this instance got for its names, and what getting them needs. Keys are sealed by the instance's own.
create table certificate (
  host        text primary key,
  -- with those above it, as PEM; null until there is one
  chain       text,
  sealed      bytea,
  issued_at   timestamptz,
  expires_at  timestamptz,
  -- when the next is asked for: before it ends, or after a failure
  due_at      timestamptz not null,
  tried_at    timestamptz,
  failures    integer not null default 0,
  error       text not null default '',
  constraint certificate_whole check ((chain is null) = (sealed is null) and (chain is null) = (issued_at is null) and (chain is null) = (expires_at is null))
);
create index certificate_due on certificate (due_at);

create table acme_account (
  directory   text primary key,
  url         text not null,
  sealed      bytea not null,
  created_at  timestamptz not null
);

-- What a certificate authority asks for at /.well-known/acme-challenge/<token>.
create table acme_challenge (
  token       text primary key,
  answer      text not null,
  expires_at  timestamptz not null
);
