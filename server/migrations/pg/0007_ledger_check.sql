-- The balance of transfers is checked once per statement instead of once per entry: the same promise, but a thousand
-- bookings no longer cost two thousand queries at commit. All entries of a transfer are therefore inserted by one statement.

drop trigger ledger_entry_balanced on ledger_entry;
drop function ledger_transfer_balanced();

create function ledger_entries_balanced() returns trigger language plpgsql as $$
declare
  crooked bigint;
begin
  -- what one statement adds to a transfer sums to zero, so the whole of it does
  select e.transfer_id into crooked
    from fresh e join ledger_account a on a.id = e.account_id
   group by e.transfer_id
  having sum(e.amount) <> 0 or count(distinct a.currency) <> 1
   limit 1;
  if found then
    raise exception 'ledger transfer % is not balanced', crooked using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger ledger_entry_balanced after insert on ledger_entry
  referencing new table as fresh for each statement execute function ledger_entries_balanced();
