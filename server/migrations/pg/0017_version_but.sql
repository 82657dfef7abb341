-- Which columns are no edit is told to the trigger that counts versions; every other column is one, also those to come.

create or replace function next_version() returns trigger language plpgsql as $$
declare
  -- without arguments tg_argv is null
  no_edit text[] := coalesce(tg_argv, '{}');
begin
  if to_jsonb(old) - no_edit is distinct from to_jsonb(new) - no_edit then
    new.version := old.version + 1;
  end if;
  return new;
end $$;

-- What a look at its address finds must not refuse the form of a landing that stands open.
drop trigger landing_version on landing;
create trigger landing_version before update on landing for each row
  execute function next_version('checked_at', 'check_status', 'check_error', 'failures', 'next_check_at');

-- Nor may a postback that fails, or is suspended for it, refuse the form its address is mended in.
alter table affiliate_postback add version integer not null default 1;
create trigger affiliate_postback_version before update on affiliate_postback for each row
  execute function next_version('status', 'failures', 'suspended_at');
