-- How many people of a distribution stand where, so that its pages count nobody: each change of people adds a row of what it changed,
-- which waits for no other change, and rows of the same are made one from time to time. The sum counts.
create table recold_count (
  id          bigint generated always as identity primary key,
  recold_id   integer not null references recold (id),
  status      text not null,
  skip_reason text not null,
  -- the hour in which they were sent
  sent_hour   timestamptz,
  items       bigint not null,
  -- of the latest changes, not made one with the others of its kind yet
  fresh       boolean not null default true
);
create index recold_count_fresh on recold_count (id) where fresh;
create index recold_count_of on recold_count (recold_id, status, skip_reason, sent_hour) include (items);

create function count_recold() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into recold_count (recold_id, status, skip_reason, sent_hour, items)
      select recold_id, status, skip_reason, date_bin('1 hour', sent_at, timestamptz '2000-01-01 00:00Z'), count(*)
        from made group by 1, 2, 3, 4;
  elsif tg_op = 'DELETE' then
    insert into recold_count (recold_id, status, skip_reason, sent_hour, items)
      select recold_id, status, skip_reason, date_bin('1 hour', sent_at, timestamptz '2000-01-01 00:00Z'), -count(*)
        from gone group by 1, 2, 3, 4;
  else
    insert into recold_count (recold_id, status, skip_reason, sent_hour, items)
      select recold_id, status, skip_reason, date_bin('1 hour', sent_at, timestamptz '2000-01-01 00:00Z'), sum(e.sign)
        from (select recold_id, status, skip_reason, sent_at, 1 as sign from made
              union all select recold_id, status, skip_reason, sent_at, -1 from gone) e
       group by 1, 2, 3, 4 having sum(e.sign) <> 0;
  end if;
  return null;
end $$;
create trigger recold_item_made after insert on recold_item
  referencing new table as made for each statement execute function count_recold();
create trigger recold_item_changed after update on recold_item
  referencing old table as gone new table as made for each statement execute function count_recold();
create trigger recold_item_gone after delete on recold_item
  referencing old table as gone for each statement execute function count_recold();
insert into recold_count (recold_id, status, skip_reason, sent_hour, items, fresh)
  select recold_id, status, skip_reason, date_bin('1 hour', sent_at, timestamptz '2000-01-01 00:00Z'), count(*), false
    from recold_item group by 1, 2, 3, 4;
