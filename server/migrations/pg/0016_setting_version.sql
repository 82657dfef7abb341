-- Saving a section of the settings, or a currency of the network's own, is refused when somebody saved it in between.

-- 0 = never set: the row is made, empty, by whoever saves first, so that a second one waits for it
alter table setting add version integer not null default 1;
create trigger setting_version before update on setting for each row when (old.value is distinct from new.value) execute function next_version();

alter table currency add version integer not null default 1;
create trigger currency_version before update on currency for each row when (old.* is distinct from new.*) execute function next_version();
