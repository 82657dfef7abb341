-- How a person has arranged a table: which columns in which order (null: as the list declares them), and those dragged to a width.
create table table_layout (
  account_id integer not null references account (id),
  list       text not null,
  columns    text[],
  widths     jsonb not null default '{}',
  updated_at timestamptz not null,
  primary key (account_id, list)
);
