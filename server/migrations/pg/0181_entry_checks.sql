-- Whether the transfer and the account of entries stand is asked once a statement, beside whether they balance: asked of each entry by a
-- foreign key, it was more than half of what an entry took. What entries name stays: transfers may neither change nor go, and of accounts
-- only what stands on them changes.
--
-- Rows are looked up one after the other by their number (`offset 0`), and by its index (`enable_seqscan`): a connection keeps the plan of
-- its first statement, which of a table of some rows would read it whole for each entry, however many rows it has by then. A table of
-- somebody's session does not stand before ours (`search_path`).
create or replace function ledger_entries_balanced() returns trigger language plpgsql
  set enable_seqscan = off set search_path = public, pg_temp as $$
declare
  crooked bigint;
  why     text;
begin
  select e.transfer_id,
         case when count(t.at) <> count(*) then 'does not stand'
              when count(a.kind) <> count(*) then 'names an account that does not stand'
              when bool_or(e.at <> t.at) then 'has entries of another moment'
              else 'is not balanced' end
    into crooked, why
    from fresh e
    left join lateral (select at from ledger_transfer where id = e.transfer_id offset 0) t on true
    left join lateral (select kind, currency from ledger_account where id = e.account_id offset 0) a on true
   group by e.transfer_id
  having count(t.at) <> count(*) or count(a.kind) <> count(*) or bool_or(e.at <> t.at)
      or sum(e.amount) <> 0 or min(a.currency) <> max(a.currency)
      or coalesce(sum(e.amount) filter (where a.kind in ('affiliate_pending', 'pending_cost')), 0) <> 0
      or min(e.line) <> 1 or max(e.line) <> count(*)
   limit 1;
  if found then
    raise exception 'ledger transfer % %', crooked, why using errcode = 'check_violation';
  end if;
  return null;
end $$;

create or replace function advertiser_costs() returns trigger language plpgsql
  set enable_seqscan = off set search_path = public, pg_temp as $$
begin
  insert into advertiser_cost (advertiser_id, currency, payout)
  select c.advertiser_id, a.currency, sum(e.amount)
    from fresh e
    cross join lateral (select currency from ledger_account where id = e.account_id and kind = 'payout_cost' offset 0) a
    cross join lateral (select conversion_id from ledger_transfer where id = e.transfer_id offset 0) t
    cross join lateral (select advertiser_id from conversion where id = t.conversion_id offset 0) c
   group by 1, 2 having sum(e.amount) <> 0 order by 1, 2
  on conflict (advertiser_id, currency) do update set payout = advertiser_cost.payout + excluded.payout;
  return null;
end $$;

create trigger ledger_account_stays before delete or update of id, kind, owner_id, currency on ledger_account
  for each row execute function refuse_change();
create trigger ledger_account_no_truncate before truncate on ledger_account for each statement execute function refuse_change();
alter table ledger_entry drop constraint ledger_entry_transfer_id_fkey, drop constraint ledger_entry_account_id_fkey;

-- Entries of an account are read by when they happened (0179), no longer by their number.
drop index ledger_entry_account;
