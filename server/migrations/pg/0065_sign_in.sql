-- Who came in and who tried to, for 180 days. A try for an address nobody has is kept for an hour, for no account: writing
-- it takes as long as writing one for somebody's, so that the answer's time tells nobody whose addresses there are.
create table sign_in (
  id         bigint generated always as identity primary key,
  account_id integer references account (id) on delete cascade,
  at         timestamptz not null,
  outcome    text not null,
  way        text not null,
  device     text not null,
  address    text not null,
  new_device boolean not null default false,
  constraint sign_in_outcome_known check (outcome in ('in', 'wrong_password', 'wrong_code', 'not_active', 'address')),
  constraint sign_in_way_known check (way in ('password', 'code', 'recovery_code'))
);
create index sign_in_account on sign_in (account_id, id desc);
create index sign_in_at on sign_in (at);

-- devices an account has come in by: a keyed mark of browser, system and network, of which nothing can be read
create table seen_device (
  account_id integer not null references account (id) on delete cascade,
  mark       bytea not null,
  seen_at    timestamptz not null,
  primary key (account_id, mark)
);

-- the bell tells of a device nobody has seen
do $$
declare
  known record;
begin
  for known in
    select (select string_agg(quote_literal(word[1]), ', ')
              from regexp_matches(pg_get_expr(c.conbin, c.conrelid), '''([a-z_]+)''', 'g') as word) as words
      from pg_constraint c where c.conname = 'notification_kind_known'
  loop
    alter table notification drop constraint notification_kind_known;
    execute format('alter table notification add constraint notification_kind_known check (kind in (%s, %L))', known.words, 'new_device');
  end loop;
end $$;
