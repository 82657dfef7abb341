-- Results of conversions brought in a file. Rows are applied many at a time, each with what its conversion was before, so that it can be taken back.
create table conversion_import (
  id          integer generated always as identity primary key,
  uuid        uuid not null default gen_random_uuid(),
  state       text not null default 'draft',
  file_name   text not null,
  encoding    text not null,
  delimiter   text not null,
  columns     text[] not null,
  -- by field the place of its column
  mapping     jsonb not null default '{}',
  row_count   integer not null,
  created_by  integer not null references account (id),
  -- who takes it back
  undone_by   integer references account (id) on delete set null,
  created_at  timestamptz not null,
  started_at  timestamptz,
  finished_at timestamptz,
  undone_at   timestamptz,
  constraint conversion_import_uuid_key unique (uuid),
  constraint conversion_import_state_known check (state in ('draft', 'running', 'done', 'undoing', 'undone'))
);
create index conversion_import_working on conversion_import (id) where state in ('running', 'undoing');
create index conversion_import_newest on conversion_import (created_by, id desc);

create table conversion_import_row (
  import_id     integer not null references conversion_import (id) on delete cascade,
  -- as a spreadsheet counts, the names of the columns being the first
  line          integer not null,
  cells         text[] not null,
  state         text not null default 'waiting',
  reason        text not null default '',
  conversion_id bigint references conversion (id),
  -- the entry of the history it made, and the one by which its change became the last one again
  seq           integer,
  last_seq      integer,
  -- what the conversion was before; null for one it made
  before        jsonb,
  primary key (import_id, line),
  constraint conversion_import_row_state_known check (state in ('waiting', 'created', 'changed', 'amount', 'same', 'capped', 'refused', 'undone', 'kept'))
);
create index conversion_import_row_state on conversion_import_row (import_id, state, line);
create index conversion_import_row_conversion on conversion_import_row (conversion_id) where conversion_id is not null;
