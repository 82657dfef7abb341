-- What was ever debited on an account, beside its balance and in the same statement: of the running month debits and credits are what
-- came to it since the months that are stored, and no entry is read for them.
alter table ledger_account add column debited numeric not null default 0;
alter table ledger_account add constraint ledger_account_debited check (scale(debited) <= 8 and debited >= 0 and debited < 1e18);
update ledger_account a set debited = s.debited
  from (select account_id, sum(amount) as debited from ledger_entry where amount > 0 group by 1) s where s.account_id = a.id;
