-- Two owners may call a list alike: what others have is nobody's to know.
drop index lead_list_title;
create unique index lead_list_title on lead_list (coalesce(manager_id, 0), lower(title)) where deleted_at is null;

-- Of people of files: what the file told of them, sealed, and what it says they agreed to.
alter table lead_list_item add column sealed bytea, add column consent jsonb;
-- Why a file was given up.
alter table lead_list_import add column problem text not null default '';

-- Whom no list sends to, whoever has them in one.
create index person_unsendable on person (id) where suppressed_at is not null or erased_at is not null or restricted_at is not null or test;

-- How many a list holds, so that a page of lists reads no people: of each affiliate (0 = of a file), by where they came from.
create table lead_list_count (
  list_id      integer not null references lead_list (id),
  affiliate_id integer not null,
  source       text not null,
  country      text not null,
  items        bigint not null,
  removed      bigint not null,
  primary key (list_id, affiliate_id, source, country)
);

create function count_lead_list() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into lead_list_count as c
      select list_id, coalesce(affiliate_id, 0), source, country, count(*) filter (where removed_at is null), count(*) filter (where removed_at is not null)
        from made group by 1, 2, 3, 4 order by 1, 2, 3, 4
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
create trigger lead_list_item_made after insert on lead_list_item
  referencing new table as made for each statement execute function count_lead_list();
create trigger lead_list_item_changed after update on lead_list_item
  referencing old table as gone new table as made for each statement execute function count_lead_list();
insert into lead_list_count
  select list_id, coalesce(affiliate_id, 0), source, country, count(*) filter (where removed_at is null), count(*) filter (where removed_at is not null)
    from lead_list_item group by 1, 2, 3, 4;

-- Nothing of who somebody is outlives their erasure, whoever erases them.
create function forget_in_lead_lists() returns trigger language plpgsql as $$
begin
  update lead_list_item set sealed = null, consent = null where person_id = new.id and (sealed is not null or consent is not null);
  return null;
end $$;
create trigger person_erased after update of erased_at on person for each row
  when (old.erased_at is null and new.erased_at is not null) execute function forget_in_lead_lists();
