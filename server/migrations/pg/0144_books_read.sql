-- What is asked of the books often stands ready: the payouts each advertiser's conversions cost, and the sums of months that are over.

-- Payouts of the conversions of an advertiser that are on hold or approved: kept by each entry on payout_cost, in the transaction that
-- writes it, after its accounts are locked, so that no way of booking can forget it. The nightly check adds the conversions up beside it.
create table advertiser_cost (
  advertiser_id integer not null references advertiser (id),
  currency      text not null references currency (code),
  payout        numeric not null,
  primary key (advertiser_id, currency),
  constraint advertiser_cost_exact check (scale(payout) <= 8 and abs(payout) < 1e15)
);
insert into advertiser_cost (advertiser_id, currency, payout)
select advertiser_id, currency, sum(payout) from conversion where status in ('hold', 'approved') and not test group by 1, 2;

create function advertiser_costs() returns trigger language plpgsql as $$
begin
  insert into advertiser_cost (advertiser_id, currency, payout)
  select c.advertiser_id, a.currency, sum(e.amount)
    from fresh e join ledger_account a on a.id = e.account_id and a.kind = 'payout_cost'
    join ledger_transfer t on t.id = e.transfer_id join conversion c on c.id = t.conversion_id
   group by 1, 2 having sum(e.amount) <> 0 order by 1, 2
  on conflict (advertiser_id, currency) do update set payout = advertiser_cost.payout + excluded.payout;
  return null;
end $$;
create trigger ledger_entry_costs after insert on ledger_entry
  referencing new table as fresh for each statement execute function advertiser_costs();

-- What each account moved in a month whose trial balance is stored, and held after it: as there, so that later questions about months
-- read neither the entries of them nor of all before. The nightly check compares the two.
alter table trial_balance add column time_zone text;
alter table trial_balance disable trigger trial_balance_append_only;
update trial_balance set time_zone = content::jsonb ->> 'time_zone';
alter table trial_balance enable trigger trial_balance_append_only;
alter table trial_balance alter column time_zone set not null;
create table ledger_month (
  month      text not null references trial_balance (month),
  account_id integer not null references ledger_account (id),
  opening    numeric not null,
  debits     numeric not null,
  credits    numeric not null,
  primary key (month, account_id)
);
create trigger ledger_month_append_only before update or delete on ledger_month for each row execute function refuse_change();
insert into ledger_month (month, account_id, opening, debits, credits)
select t.month, a.id, s.opening, s.debits, s.credits
  from trial_balance t
  cross join lateral jsonb_to_recordset(t.content::jsonb -> 'accounts') as s (kind text, owner int, currency text, opening numeric, debits numeric, credits numeric)
  join ledger_account a on a.kind = s.kind and a.owner_id = s.owner and a.currency = s.currency;
