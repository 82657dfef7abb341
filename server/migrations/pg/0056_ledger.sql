-- The whole chart of accounts, the moment of each booking, what waits for the advertiser's decision as memo accounts, and what of a
-- conversion is on invoices.

-- affiliate: affiliate_*, payout_cost, pending_cost, referral_cost, bonus_cost, correction_cost; advertiser: advertiser_*, receivable,
-- network_revenue; a payment source: cash, bank_fee; 0, the network: vat_*, fx_*, opening, rounding
alter table ledger_account drop constraint ledger_account_kind_known;
alter table ledger_account
  add constraint ledger_account_kind_known check (kind in (
    'receivable', 'advertiser_invoiced', 'advertiser_prepaid', 'affiliate_hold', 'affiliate_available', 'affiliate_correction', 'affiliate_bonus',
    'affiliate_referral', 'affiliate_invoiced', 'affiliate_transit', 'affiliate_prepaid', 'cash', 'vat_input', 'vat_output', 'fx_position', 'opening',
    'network_revenue', 'payout_cost', 'referral_cost', 'bonus_cost', 'correction_cost', 'affiliate_write_off', 'advertiser_write_off', 'bank_fee',
    'fx_result', 'rounding', 'affiliate_pending', 'pending_cost')),
  -- what was never received, invoiced or sent cannot be used, paid or settled, whoever asks at the same moment
  add constraint ledger_account_sign check (case
    when kind in ('advertiser_invoiced', 'affiliate_prepaid') then balance >= 0
    when kind in ('advertiser_prepaid', 'affiliate_bonus', 'affiliate_invoiced', 'affiliate_transit') then balance <= 0
    else true end),
  add constraint ledger_account_owner check ((owner_id = 0) = (kind in ('vat_input', 'vat_output', 'fx_position', 'opening', 'fx_result', 'rounding')));
create index ledger_account_owner_kinds on ledger_account (owner_id, currency);

-- `at` is when it happened, `booked_at` when it was written: the months of the books follow the latter, so that one that is over never
-- changes. A change of type writes the table anew without its triggers, which refuse updates.
alter table ledger_transfer add column booked_at timestamptz;
alter table ledger_transfer alter column booked_at type timestamptz using at;
alter table ledger_transfer
  alter column booked_at set not null,
  -- the account of who decided it; null = nobody did: an advertiser's call, a rule
  add column actor_id integer references account (id);
create index ledger_transfer_booked on ledger_transfer (booked_at, id);

create trigger ledger_transfer_no_truncate before truncate on ledger_transfer for each statement execute function refuse_change();
create trigger ledger_entry_no_truncate before truncate on ledger_entry for each statement execute function refuse_change();

-- The entries of a transfer come by one statement, numbered from 1, which sums to zero in one currency, its memo accounts by
-- themselves. Another statement would have to begin with 1 again, which stands there already.
alter table ledger_entry add column line smallint;
alter table ledger_entry disable trigger ledger_entry_append_only;
update ledger_entry e set line = n.line from (select id, row_number() over (partition by transfer_id order by id) as line from ledger_entry) n where n.id = e.id;
alter table ledger_entry enable trigger ledger_entry_append_only;
alter table ledger_entry alter column line set not null;
create unique index ledger_entry_line_key on ledger_entry (transfer_id, line);
drop index ledger_entry_transfer;

create or replace function ledger_entries_balanced() returns trigger language plpgsql as $$
declare
  crooked bigint;
begin
  select e.transfer_id into crooked
    from fresh e join ledger_account a on a.id = e.account_id
   group by e.transfer_id
  having sum(e.amount) <> 0 or min(a.currency) <> max(a.currency)
      or coalesce(sum(e.amount) filter (where a.kind in ('affiliate_pending', 'pending_cost')), 0) <> 0
      or min(e.line) <> 1 or max(e.line) <> count(*)
   limit 1;
  if found then
    raise exception 'ledger transfer % is not balanced', crooked using errcode = 'check_violation';
  end if;
  return null;
end $$;

-- Sums of its live lines on invoices of affiliates, and on issued ones of advertisers.
alter table conversion
  add column invoiced numeric not null default 0.0000,
  add column billed   numeric not null default 0.0000,
  add constraint conversion_lines_exact check (scale(invoiced) <= 8 and abs(invoiced) < 1e15 and scale(billed) <= 8 and abs(billed) < 1e15);

-- What advertisers have still to decide about stands in the books from here on: one transfer for each conversion that waits.
with waiting as (
  select id, affiliate_id, currency, payout, updated_at from conversion where status = 'pending' and not test and payout <> 0
), accounts as (
  insert into ledger_account (kind, owner_id, currency, balance)
  select side.kind, w.affiliate_id, w.currency, side.sign * sum(w.payout)
    from waiting w cross join (values ('pending_cost', 1), ('affiliate_pending', -1)) as side (kind, sign)
   group by 1, 2, 3, side.sign order by 1, 2, 3
  returning id, kind, owner_id, currency
), transfers as (
  insert into ledger_transfer (at, booked_at, kind, conversion_id, key)
  select updated_at, now(), 'pending', id, 'conversion:' || id || ':0:payout' from waiting order by id
  returning id, conversion_id
)
insert into ledger_entry (transfer_id, line, account_id, amount)
select t.id, case a.kind when 'pending_cost' then 1 else 2 end, a.id, case a.kind when 'pending_cost' then w.payout else -w.payout end
  from waiting w join transfers t on t.conversion_id = w.id
  join accounts a on a.owner_id = w.affiliate_id and a.currency = w.currency;
