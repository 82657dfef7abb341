-- A legal text that is being written: it holds for nobody until it is published, and is gone then.
create table legal_draft (
  kind       text not null,
  language   text not null,
  html       text not null,
  -- another one with each save, so that nobody overwrites what a colleague saved meanwhile
  revision   uuid not null,
  saved_at   timestamptz not null,
  saved_by   integer references account (id) on delete set null,
  constraint legal_draft_pkey primary key (kind, language),
  constraint legal_draft_kind_known check (kind in ('terms', 'agreement', 'privacy')),
  constraint legal_draft_language_known check (language in ('en', 'uk'))
);
