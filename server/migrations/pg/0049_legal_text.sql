-- Terms, agreement and privacy policy: each version stays as it was published, for those who accepted it.
create table legal_text (
  id           integer generated always as identity primary key,
  uuid         uuid not null default gen_random_uuid() unique,
  kind         text not null,
  language     text not null,
  version      integer not null,
  html         text not null,
  -- what changed, for those who look after it
  note         text not null,
  published_at timestamptz not null,
  published_by integer references account (id) on delete set null,
  constraint legal_text_kind_known check (kind in ('terms', 'agreement', 'privacy')),
  constraint legal_text_language_known check (language in ('en', 'uk')),
  constraint legal_text_version_key unique (kind, language, version)
);

create table legal_acceptance (
  id            integer generated always as identity primary key,
  legal_text_id integer not null references legal_text (id),
  affiliate_id  integer not null references affiliate (id) on delete cascade,
  accepted_at   timestamptz not null,
  address       text not null,
  constraint legal_acceptance_once unique (affiliate_id, legal_text_id)
);
create index legal_acceptance_text on legal_acceptance (legal_text_id);
