-- Rules that put people up for a second sale by themselves.
create table cold_rule (
  id              integer generated always as identity primary key,
  uuid            uuid not null default gen_random_uuid() unique,
  title           text not null,
  status          text not null default 'draft',
  pause_reason    text not null default '',
  -- whose it is: team leads see the rules of their team
  manager_id      integer references manager (id),
  -- the team lead whose affiliates' people alone it takes; null = everybody's
  team_of         integer references manager (id),
  -- the latest settings, and those in force
  version_id      integer,
  live_version_id integer,
  -- of those in force what tells which leads it hears of; null = it hears of none
  event           text,
  call_statuses   text[] not null default '{}',
  failures        integer not null default 0,
  next_run_at     timestamptz,
  -- somebody asked it to run at once
  asked_at        timestamptz,
  asked_by        integer references account (id) on delete set null,
  created_by      integer references account (id) on delete set null,
  version         integer not null default 1,
  created_at      timestamptz not null,
  updated_at      timestamptz not null,
  constraint cold_rule_title check (length(title) between 3 and 100),
  constraint cold_rule_status_known check (status in ('draft', 'active', 'paused', 'archived')),
  constraint cold_rule_pause_known check (pause_reason in ('', 'by_hand', 'failing')),
  constraint cold_rule_event_known check (event in ('unsold', 'rejected_by_all', 'call_status', 'returned'))
);
create index cold_rule_manager on cold_rule (manager_id, id);
create index cold_rule_active on cold_rule (id) where status = 'active';
create index cold_rule_hears on cold_rule (event) where event is not null;
create trigger cold_rule_counts before update on cold_rule for each row execute function next_version(
  'updated_at', 'status', 'pause_reason', 'live_version_id', 'event', 'call_statuses', 'failures', 'next_run_at', 'asked_at', 'asked_by');

-- What a rule was set to. Rows never change, but for the distribution whom it takes goes to.
create table cold_rule_version (
  id         integer generated always as identity primary key,
  rule_id    integer not null references cold_rule (id),
  number     integer not null,
  settings   jsonb not null,
  -- of the distribution it makes others like, as that was when the version was saved
  template   jsonb,
  -- all lists it names
  list_ids   integer[] not null default '{}',
  recold_id  integer references recold (id),
  created_by integer references account (id) on delete set null,
  created_at timestamptz not null,
  unique (rule_id, number)
);
alter table cold_rule add foreign key (version_id) references cold_rule_version (id),
  add foreign key (live_version_id) references cold_rule_version (id);
create index cold_rule_version_lists on cold_rule_version using gin (list_ids);
create index cold_rule_version_recold on cold_rule_version (recold_id) where recold_id is not null;

-- What rules have done.
create table cold_rule_run (
  id         bigint generated always as identity primary key,
  uuid       uuid not null default gen_random_uuid() unique,
  rule_id    integer not null references cold_rule (id),
  version_id integer not null references cold_rule_version (id),
  kind       text not null,
  at         timestamptz not null,
  matched    integer not null default 0,
  queued     integer not null default 0,
  skipped    jsonb not null default '{}',
  error      text not null default '',
  list_id    integer references lead_list (id),
  recold_id  integer references recold (id),
  by_id      integer references account (id) on delete set null,
  constraint cold_rule_run_kind_known check (kind in ('event', 'schedule', 'manual', 'dry')),
  constraint cold_rule_run_error_known check (error in ('', 'list_gone', 'offer_closed', 'no_products', 'owner_gone', 'unexpected'))
);
create index cold_rule_run_rule on cold_rule_run (rule_id, id desc);
create index cold_rule_run_version on cold_rule_run (version_id) where kind = 'dry';
create index cold_rule_run_at on cold_rule_run (at);

-- Whom a rule has taken: nobody twice.
create table cold_rule_person (
  rule_id      integer not null references cold_rule (id),
  person_id    bigint not null references person (id),
  list_item_id bigint not null references lead_list_item (id),
  at           timestamptz not null,
  primary key (rule_id, person_id)
);
create index cold_rule_person_at on cold_rule_person (rule_id, at);
create index cold_rule_person_person on cold_rule_person (person_id);
create index cold_rule_person_item on cold_rule_person (list_item_id);

-- Leads that rules have heard of and not looked at yet. Nothing refers to it and nothing is unique, so that whoever changes a lead waits for no
-- rule; one that is noted twice is looked at once. Bounded by what happens between two runs of a rule.
create table cold_rule_due (
  id         bigint generated always as identity primary key,
  rule_id    integer not null,
  session_id bigint not null
);
create index cold_rule_due_rule on cold_rule_due (rule_id, id);

create function tell_cold_rules() returns trigger language plpgsql as $$
declare
  moved  boolean := tg_op = 'INSERT';
  called boolean := tg_op = 'INSERT';
begin
  if tg_op = 'UPDATE' then
    moved := new.status is distinct from old.status;
    called := new.call_status is distinct from old.call_status;
  end if;
  insert into cold_rule_due (rule_id, session_id)
    select r.id, new.id from cold_rule r
     where (r.event = 'unsold' and moved and new.status = 'unsold')
        or (r.event = 'rejected_by_all' and moved and new.status = 'rejected' and new.reason = 'rejected')
        or (r.event = 'call_status' and called and new.call_status = any (r.call_statuses))
        or (r.event = 'returned' and called and new.call_status in ('returned', 'cancelled'));
  return null;
end $$;
create trigger cold_rule_lead_made after insert on user_session for each row
  when (new.traffic_type = 'warm' and (new.status in ('unsold', 'rejected') or new.call_status is not null))
  execute function tell_cold_rules();
create trigger cold_rule_lead_changed after update of status, call_status on user_session for each row
  when (new.traffic_type = 'warm' and ((new.status is distinct from old.status and new.status in ('unsold', 'rejected'))
    or (new.call_status is distinct from old.call_status and new.call_status is not null)))
  execute function tell_cold_rules();

create function tell_cold_rules_of_sale() returns trigger language plpgsql as $$
begin
  insert into cold_rule_due (rule_id, session_id)
    select r.id, s.id from cold_rule r join user_session s on s.click_id = new.click_id and s.traffic_type = 'warm' where r.event = 'returned';
  return null;
end $$;
create trigger cold_rule_sale_made after insert on conversion for each row
  when (new.status in ('declined', 'trash')) execute function tell_cold_rules_of_sale();
create trigger cold_rule_sale_changed after update of status on conversion for each row
  when (new.status is distinct from old.status and new.status in ('declined', 'trash')) execute function tell_cold_rules_of_sale();

-- A rule that stands still since its runs fail is told of.
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
    execute format('alter table notification add constraint notification_kind_known check (kind in (%s, %L))', known.words, 'cold_rule_failing');
  end loop;
end $$;
