-- the bell tells affiliates what becomes of their invoices and of their requests to be paid
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
    execute format('alter table notification add constraint notification_kind_known check (kind in (%s, %L, %L))', known.words, 'invoice_moved', 'request_decided');
  end loop;
end $$;
