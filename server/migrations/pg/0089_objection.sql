-- Until when an affiliate may object to an invoice it was sent; set when it is sent, null on older ones.
alter table invoice add column object_until timestamptz;

-- What affiliates object to on invoices that wait for approval, and what staff answered.
create table invoice_objection (
  id          integer generated always as identity primary key,
  uuid        uuid not null default gen_random_uuid() unique,
  invoice_id  integer not null references invoice (id),
  reason      text not null,
  made_by     integer not null references account (id),
  made_at     timestamptz not null,
  -- answered by staff, withdrawn by the affiliate, or ended with what it was about: taken back, declined, deleted
  state       text not null default 'open',
  answer      text not null default '',
  answered_by integer references account (id),
  ended_at    timestamptz,
  constraint invoice_objection_state_known check (state in ('open', 'answered', 'withdrawn', 'ended')),
  constraint invoice_objection_ended check ((state = 'open') = (ended_at is null))
);
create unique index invoice_objection_open on invoice_objection (invoice_id) where state = 'open';
create index invoice_objection_invoice on invoice_objection (invoice_id, id);

-- the bell tells of objections and of affiliates' own invoices
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
    execute format('alter table notification add constraint notification_kind_known check (kind in (%s, %L, %L))', known.words, 'invoice_objection', 'own_invoice');
  end loop;
end $$;
