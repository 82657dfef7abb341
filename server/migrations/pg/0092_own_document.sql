-- The invoices affiliates write themselves for what their statements say: due before payment where the network asks for them.
create table own_document (
  id           integer generated always as identity primary key,
  uuid         uuid not null default gen_random_uuid() unique,
  invoice_id   integer not null references invoice (id),
  affiliate_id integer not null references affiliate (id),
  number       text not null,
  day          date not null,
  -- another one took its place, or staff refused it
  state        text not null default 'given',
  reason       text not null default '',
  made_by      integer not null references account (id),
  made_at      timestamptz not null,
  decided_by   integer references account (id),
  ended_at     timestamptz,
  constraint own_document_state_known check (state in ('given', 'replaced', 'refused')),
  constraint own_document_ended check ((state = 'given') = (ended_at is null))
);
create unique index own_document_given on own_document (invoice_id) where state = 'given';
-- one invoice of an affiliate is paid once
create unique index own_document_number on own_document (affiliate_id, lower(number)) where state = 'given';
create index own_document_invoice on own_document (invoice_id, id);

do $$
declare
  known record;
begin
  for known in
    select (select string_agg(quote_literal(word[1]), ', ')
              from regexp_matches(pg_get_expr(c.conbin, c.conrelid), '''([a-z_]+)''', 'g') as word) as words
      from pg_constraint c where c.conname = 'file_kind_known'
  loop
    alter table file drop constraint file_kind_known;
    execute format('alter table file add constraint file_kind_known check (kind in (%s, %L))', known.words, 'own_invoice');
  end loop;
end $$;
