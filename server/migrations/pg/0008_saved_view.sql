-- A list or report as somebody left it: the part of its address after the question mark, under a name.
create table saved_view (
  id         integer generated always as identity primary key,
  uuid       uuid not null unique default gen_random_uuid(),
  account_id integer not null references account (id),
  screen     text not null,
  name       text not null,
  address    text not null,
  -- seen by all staff; only its owner changes it
  shared     boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint saved_view_name unique (account_id, screen, name)
);

create index saved_view_shared on saved_view (screen, name) where shared;
