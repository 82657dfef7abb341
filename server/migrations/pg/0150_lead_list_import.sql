-- What is kept of a file besides: how it was read, who confirmed that it is lawful and in which words, and what became of its rows.
alter table lead_list_import
  add column encoding     text not null default 'utf-8',
  add column delimiter    text not null default ',',
  -- of rows that name none
  add column country      text not null default '',
  -- where the people come from
  add column source       text not null default '',
  -- what was confirmed, in the words that were read
  add column statement    text not null default '',
  add column confirmed_at timestamptz,
  -- of those who were added, people who were known before
  add column known        integer not null default 0,
  -- who was left out, by the first reason
  add column left_out     jsonb not null default '{}',
  drop column there,
  drop constraint lead_list_import_status_known,
  add constraint lead_list_import_status_known check (status in ('draft', 'running', 'done', 'failed', 'cancelled', 'undone'));
-- of whom it keeps what the file told
create index lead_list_import_kept on lead_list_import (created_at) where content is not null;

-- Rows leave a list where the file they came in is taken back.
create or replace function count_lead_list() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into lead_list_count as c
      select list_id, coalesce(affiliate_id, 0), source, country, count(*) filter (where removed_at is null), count(*) filter (where removed_at is not null)
        from made group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (list_id, affiliate_id, source, country) do update set items = c.items + excluded.items, removed = c.removed + excluded.removed;
  elsif tg_op = 'DELETE' then
    insert into lead_list_count as c
      select list_id, coalesce(affiliate_id, 0), source, country, -count(*) filter (where removed_at is null), -count(*) filter (where removed_at is not null)
        from gone group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (list_id, affiliate_id, source, country) do update set items = c.items + excluded.items, removed = c.removed + excluded.removed;
  else
    insert into lead_list_count as c
      select e.list_id, coalesce(e.affiliate_id, 0), e.source, e.country,
             coalesce(sum(e.sign) filter (where e.removed_at is null), 0), coalesce(sum(e.sign) filter (where e.removed_at is not null), 0)
        from (select list_id, affiliate_id, source, country, removed_at, 1 as sign from made
              union all select list_id, affiliate_id, source, country, removed_at, -1 from gone) e
       group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (list_id, affiliate_id, source, country) do update set items = c.items + excluded.items, removed = c.removed + excluded.removed;
  end if;
  return null;
end $$;
create trigger lead_list_item_gone after delete on lead_list_item
  referencing old table as gone for each statement execute function count_lead_list();
-- by the distributions that would send them
create index recold_item_list_item on recold_item (list_item_id);
