-- Affiliates or advertisers out of a file: what was read, which column is what, and how far the worker has come.
create table import (
  id          integer generated always as identity primary key,
  uuid        uuid not null default gen_random_uuid(),
  kind        text not null,
  state       text not null default 'draft',
  file_name   text not null,
  encoding    text not null,
  delimiter   text not null,
  columns     text[] not null,
  -- by field the place of its column
  mapping     jsonb not null default '{}',
  options     jsonb not null default '{}',
  row_count   integer not null,
  created_by  integer not null references account (id) on delete cascade,
  -- who takes it back
  undone_by   integer references account (id) on delete set null,
  created_at  timestamptz not null,
  started_at  timestamptz,
  finished_at timestamptz,
  undone_at   timestamptz,
  constraint import_uuid_key unique (uuid),
  constraint import_kind_known check (kind in ('affiliate', 'advertiser')),
  constraint import_state_known check (state in ('draft', 'running', 'done', 'undoing', 'undone'))
);
create index import_working on import (id) where state in ('running', 'undoing');
create index import_newest on import (created_by, kind, id desc);

-- One row of the file, with what became of it: each is settled in the transaction that makes or removes what it says.
create table import_row (
  import_id integer not null references import (id) on delete cascade,
  -- as a spreadsheet counts, the names of the columns being the first
  line      integer not null,
  cells     text[] not null,
  state     text not null default 'waiting',
  -- by field, '' = the row as a whole
  problems  jsonb not null default '{}',
  made_id   integer,
  primary key (import_id, line),
  constraint import_row_state_known check (state in ('waiting', 'made', 'skipped', 'refused', 'removed', 'stays'))
);
create index import_row_state on import_row (import_id, state, line);
