-- What moved in the currency of a source where a document is in another one, and what the rate of its day made of the amount.
alter table receipt
  add column moved_currency text references currency (code),
  add column moved          numeric,
  add column expected       numeric,
  -- of the amount, what never arrived and is taken as the bank's fee
  add column short          numeric not null default 0,
  add column back_moved     numeric not null default 0,
  add column back_expected  numeric not null default 0,
  add constraint receipt_exchange check (
    num_nonnulls(moved_currency, moved, expected) in (0, 3) and moved_currency <> currency and moved > 0 and expected > 0
    and scale(moved) <= 8 and scale(expected) <= 8 and moved < 1e15 and expected < 1e15
    and short >= 0 and short < amount and back_moved >= 0 and back_expected >= 0);
alter table payment
  add column moved_currency text references currency (code),
  add column moved          numeric,
  add column expected       numeric,
  add constraint payment_exchange check (
    num_nonnulls(moved_currency, moved, expected) in (0, 3) and moved_currency <> currency and moved > 0 and expected > 0
    and scale(moved) <= 8 and scale(expected) <= 8 and moved < 1e15 and expected < 1e15);
