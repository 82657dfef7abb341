-- What a postback to an affiliate carries beside its address: a body of its own and headers, and what signs it. Values of headers that
-- are secrets, and the keys, are sealed and go out only; a delivery keeps what it was made of without them.
alter table affiliate_postback
  -- of POST: query = the query of the address as a form
  add column body_type text not null default 'query',
  add column body text not null default '',
  -- [{name, value}]; value null = a secret, which sealed_headers holds by name
  add column headers jsonb not null default '[]',
  add column sealed_headers bytea,
  add column signing_secret bytea,
  -- the one before signs beside it until then
  add column signing_secret_before bytea,
  add column signing_before_until timestamptz,
  add constraint affiliate_postback_body_type_known check (body_type in ('query', 'form', 'json'));
alter table postback_delivery
  add column body_type text not null default 'query',
  add column body text not null default '',
  add column headers jsonb not null default '[]';
