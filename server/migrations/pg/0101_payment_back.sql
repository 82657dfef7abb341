-- A payment by hand that had arrived and was given back by the bank: when the money was back, and why.
alter table payment
  add column ended_day date,
  add column reason text not null default '',
  -- what its fee is in; null = it has none
  add column fee_currency text references currency (code),
  add constraint payment_came_back check (ended_day is null or state = 'returned');
update payment set fee_currency = coalesce(moved_currency, currency) where fee > 0;
alter table payment add constraint payment_fee_currency check (fee = 0 or fee_currency is not null);
