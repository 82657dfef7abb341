-- Amounts below zero (RevShare, CPS), and what changes of a conversion after it was invoiced or paid.

alter table conversion drop constraint conversion_not_negative;

-- affiliate_correction: affiliate; changes of conversions that are invoiced or paid, part of what is available
alter table ledger_account drop constraint ledger_account_kind_known;
alter table ledger_account add constraint ledger_account_kind_known check (kind in (
  'receivable', 'network_revenue', 'payout_cost', 'affiliate_hold', 'affiliate_available', 'affiliate_correction', 'affiliate_invoiced', 'affiliate_paid'));
