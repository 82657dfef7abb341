-- When what an entry is about happened, as its transfer says: entries are read in that order, and to sort them by their transfers all of
-- an account were read for each page.
alter table ledger_entry add column at timestamptz;
alter table ledger_entry disable trigger ledger_entry_append_only;
update ledger_entry e set at = t.at from ledger_transfer t where t.id = e.transfer_id;
alter table ledger_entry enable trigger ledger_entry_append_only;
alter table ledger_entry alter column at set not null;
create index ledger_entry_happened on ledger_entry (account_id, at, id);
