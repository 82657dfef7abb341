-- Long work of the instance itself, asked for by people or by the clock: comparing books and figures, backups, trying one out.
create table system_run (
  id           bigint generated always as identity primary key,
  uuid         uuid not null default gen_random_uuid(),
  kind         text not null,
  state        text not null default 'waiting',
  -- null = the clock
  asked_by     integer references account (id) on delete set null,
  asked_at     timestamptz not null,
  started_at   timestamptz,
  finished_at  timestamptz,
  -- a worker that died keeps nobody waiting: what it had taken has failed when this is over
  leased_until timestamptz,
  done         integer not null default 0,
  total        integer not null default 0,
  result       jsonb not null default '{}',
  error        text not null default '',
  constraint system_run_uuid_key unique (uuid),
  constraint system_run_kind_known check (kind in ('self_check', 'backup', 'trial')),
  constraint system_run_state_known check (state in ('waiting', 'running', 'done', 'failed')),
  constraint system_run_finished check ((state in ('done', 'failed')) = (finished_at is not null))
);
-- asking twice is asking once
create unique index system_run_open on system_run (kind) where state in ('waiting', 'running');
create index system_run_latest on system_run (kind, id desc);

-- What each part of the instance takes on disk, once an hour: how long the rest will do follows from it.
create table system_size (
  part  text not null,
  at    timestamptz not null,
  bytes bigint not null,
  primary key (part, at)
);

-- What is wrong with the instance for longer than a moment; told once, and forgotten when it is well again.
create table system_alarm (
  line    text not null,
  subject text not null default '',
  since   timestamptz not null,
  seen_at timestamptz not null,
  told_at timestamptz,
  primary key (line, subject)
);

-- Those who look after it are told. Notifications are of one kind more, whatever kinds there are by then.
do $$
declare
  words text;
begin
  select string_agg(quote_literal(word[1]), ', ') into words
    from pg_constraint c, regexp_matches(pg_get_expr(c.conbin, c.conrelid), '''([a-z_]+)''', 'g') as word
   where c.conname = 'notification_kind_known';
  alter table notification drop constraint notification_kind_known;
  execute format('alter table notification add constraint notification_kind_known check (kind in (%s, %L))', words, 'system_problem');
end $$;
