-- How advertisers' systems take leads. A version that was published never changes: what was sent stays explained by it.
create table integration (
  id         integer generated always as identity primary key,
  uuid       uuid not null default gen_random_uuid() unique,
  title      text not null,
  type       text not null,
  preset     text not null default '',
  notes      text not null default '',
  status     text not null default 'active',
  version    integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint integration_status_known check (status in ('active', 'archived'))
);
create unique index integration_title on integration (lower(title)) where status = 'active';

create table integration_version (
  id             integer generated always as identity primary key,
  integration_id integer not null references integration (id),
  number         integer not null,
  spec           jsonb not null,
  state          text not null default 'draft',
  note           text not null default '',
  created_at     timestamptz not null,
  created_by     integer references account (id),
  published_at   timestamptz,
  unique (integration_id, number),
  constraint integration_version_state_known check (state in ('draft', 'active', 'deprecated')),
  constraint integration_version_published check ((state = 'draft') = (published_at is null))
);
create unique index integration_version_draft on integration_version (integration_id) where state = 'draft';
create unique index integration_version_active on integration_version (integration_id) where state = 'active';

create function keep_published_version() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.state <> 'draft' then raise exception 'a published version stays'; end if;
    return old;
  end if;
  if old.state <> 'draft' and (new.spec is distinct from old.spec or new.number <> old.number) then
    raise exception 'a published version never changes';
  end if;
  return new;
end $$;
create trigger integration_version_kept before update or delete on integration_version
  for each row execute function keep_published_version();
