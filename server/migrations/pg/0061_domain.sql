-- Names under which people open the panel and visitors click.
create table domain (
  id           integer generated always as identity primary key,
  uuid         uuid not null default gen_random_uuid(),
  -- lower-case ASCII, without port or path
  host         text not null,
  kind         text not null,
  -- what new links and mails use where nothing narrower is said
  is_default   boolean not null default false,
  -- who gets its certificate: we by ACME, or whatever stands in front of us
  certificate  text not null,
  -- what its TXT record must hold
  token        text not null,
  verified_at  timestamptz,
  verified_by  text,
  -- what the last look found; without a next one nobody looks by himself
  checked_at   timestamptz,
  next_check_at timestamptz,
  checks       jsonb not null default '[]',
  -- the first check that fails of a verified one, how many looks in a row failed, and since when people know
  failing      text,
  failing_since timestamptz,
  failures     integer not null default 0,
  told_at      timestamptz,
  -- of a certificate we get ourselves
  certificate_tried_at   timestamptz,
  certificate_issued_at  timestamptz,
  certificate_expires_at timestamptz,
  certificate_error      text not null default '',
  -- nothing new uses it; what was moved then, so that it can be taken back
  burnt_at     timestamptz,
  burnt_by     integer references account (id) on delete set null,
  burnt_reason text not null default '',
  burnt_moved  jsonb,
  created_by   integer references account (id) on delete set null,
  created_at   timestamptz not null,
  updated_at   timestamptz not null,
  version      integer not null default 1,
  constraint domain_uuid_key unique (uuid),
  constraint domain_host_key unique (host),
  constraint domain_host_plain check (host ~ '^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$' and length(host) <= 253),
  constraint domain_kind_known check (kind in ('panel', 'tracking')),
  constraint domain_certificate_known check (certificate in ('acme', 'proxy')),
  constraint domain_verified_by_known check (verified_by in ('dns', 'file')),
  constraint domain_default_is_usable check (not is_default or (verified_at is not null and burnt_at is null))
);
create unique index domain_one_default on domain (kind) where is_default;
create index domain_due on domain (next_check_at) where next_check_at is not null;
create index domain_failing on domain (failing_since) where failing_since is not null;

-- what a look finds, or a certificate that is renewed, is no edit
create trigger domain_version before update on domain for each row execute function next_version(
  'checked_at', 'next_check_at', 'checks', 'failing', 'failing_since', 'failures', 'told_at', 'verified_at', 'verified_by',
  'certificate_tried_at', 'certificate_issued_at', 'certificate_expires_at', 'certificate_error');

-- Whose links a tracking domain is for: of an affiliate, of an offer, or of an affiliate for an offer.
create table domain_assignment (
  id           integer generated always as identity primary key,
  domain_id    integer not null references domain (id) on delete cascade,
  affiliate_id integer references affiliate (id) on delete cascade,
  offer_id     integer references offer (id) on delete cascade,
  constraint domain_assignment_for_somebody check (affiliate_id is not null or offer_id is not null),
  constraint domain_assignment_once unique nulls not distinct (domain_id, affiliate_id, offer_id)
);
create index domain_assignment_affiliate on domain_assignment (affiliate_id);
create index domain_assignment_offer on domain_assignment (offer_id);

-- Hosts somebody says are unsafe, as the network imported them.
create table unsafe_host (
  host text primary key
);

-- People are told of domains: staff when one fails, affiliates when their links get another.
do $$
declare
  words text;
begin
  select string_agg(quote_literal(word[1]), ', ') into words
    from pg_constraint c, regexp_matches(pg_get_expr(c.conbin, c.conrelid), '''([a-z_]+)''', 'g') as word
   where c.conname = 'notification_kind_known';
  alter table notification drop constraint notification_kind_known;
  execute format('alter table notification add constraint notification_kind_known check (kind in (%s, %L, %L))', words, 'domain_failing', 'domain_replaced');
end $$;
