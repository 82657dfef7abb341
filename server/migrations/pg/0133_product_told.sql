-- Products that errors stopped are told of.
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
    execute format('alter table notification add constraint notification_kind_known check (kind in (%s, %L, %L))', known.words, 'product_refused', 'product_failing');
  end loop;
end $$;
