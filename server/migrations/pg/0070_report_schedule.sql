-- Reports that go out by mail by the clock of their owner's zone.
create table report_schedule (
  id           integer generated always as identity primary key,
  uuid         uuid not null default gen_random_uuid() unique,
  account_id   integer not null references account (id) on delete cascade,
  name         text not null,
  -- what is asked, and the address of the same report in the panel
  question     jsonb not null,
  address      text not null,
  every        text not null,
  -- 1 = Monday; of a month the day, the last one where it is shorter
  day          integer not null default 1,
  hour         integer not null,
  -- accounts that get it, each with what they may see
  recipients   integer[] not null,
  paused       boolean not null default false,
  next_at      timestamptz not null,
  -- somebody asked for it now
  asked        boolean not null default false,
  -- a worker that computes it; one that died lets go by itself
  leased_until timestamptz,
  last_at      timestamptz,
  -- how many got it last, and why others did not
  last_sent    integer not null default 0,
  last_problem text not null default '',
  created_at   timestamptz not null,
  constraint report_schedule_every check (every in ('day', 'week', 'month')),
  constraint report_schedule_day check (day between 1 and 31),
  constraint report_schedule_hour check (hour between 0 and 23),
  constraint report_schedule_recipients check (cardinality(recipients) between 1 and 20)
);
create index report_schedule_account on report_schedule (account_id);
create index report_schedule_due on report_schedule (next_at) where not paused;
create index report_schedule_asked on report_schedule (id) where asked;

-- A file that goes along, sealed as what fills the message is, and gone with it.
alter table mail add column attachment bytea;
alter table mail add column attachment_name text not null default '';
