-- What holds for new affiliates holds however they come: it leaves the settings of registration for those of affiliates.
insert into setting (key, value)
select 'affiliates', jsonb_strip_nulls(jsonb_build_object('manager', value -> 'manager', 'manager_uuid', value -> 'manager_uuid', 'currency', value -> 'currency'))
  from setting
 where key = 'registration'
on conflict (key) do nothing;

update setting set value = value - 'manager' - 'manager_uuid' - 'currency' where key = 'registration';
