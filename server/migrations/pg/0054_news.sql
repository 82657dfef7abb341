-- News of the network for those it chooses.
create table news (
  id         integer generated always as identity primary key,
  uuid       uuid not null default gen_random_uuid(),
  -- by language: title, text (sanitised HTML) and excerpt (plain); '' where there is none
  texts      jsonb not null,
  cover      uuid references file (uuid) on delete set null,
  -- nobody named = everybody; countries and tags narrow affiliates
  roles      text[] not null default '{}',
  geos       text[] not null default '{}',
  tags       text[] not null default '{}',
  pinned     boolean not null default false,
  -- published with a moment to come is scheduled: no job has to publish it
  status     text not null default 'draft',
  publish_at timestamptz,
  -- the bell tells the audience in batches, by account: how far it has come, and when it was done
  told_until integer not null default 0,
  told_at    timestamptz,
  created_by integer references account (id) on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version    integer not null default 1,
  constraint news_uuid_key unique (uuid),
  constraint news_status_known check (status in ('draft', 'published', 'archived')),
  constraint news_published_has_moment check (status <> 'published' or publish_at is not null)
);
create index news_published on news (pinned desc, publish_at desc, id desc) where status = 'published';
create index news_untold on news (publish_at) where status = 'published' and told_at is null;

-- Who has read what; nothing stands for unread, so that publishing writes nobody's row.
create table news_read (
  news_id    integer not null references news (id) on delete cascade,
  account_id integer not null references account (id) on delete cascade,
  at         timestamptz not null,
  primary key (account_id, news_id)
);
create index news_read_news on news_read (news_id);

alter table notification add column news_id integer references news (id) on delete cascade;
create index notification_news on notification (news_id, account_id) where news_id is not null;

-- Pictures and notifications are of one kind more, whatever kinds there are by then.
do $$
declare
  known record;
begin
  for known in
    select c.conrelid::regclass as of, c.conname as name,
           (select string_agg(quote_literal(word[1]), ', ')
              from regexp_matches(pg_get_expr(c.conbin, c.conrelid), '''([a-z_]+)''', 'g') as word) as words
      from pg_constraint c where c.conname in ('file_kind_known', 'notification_kind_known')
  loop
    execute format('alter table %s drop constraint %I', known.of, known.name);
    execute format('alter table %s add constraint %I check (kind in (%s, %L))', known.of, known.name, known.words, 'news');
  end loop;
end $$;
