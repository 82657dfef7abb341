-- A payment of a file that was taken back may have arrived all the same, when nothing of its invoice is open any more: all of it is prepaid.
alter table payment
  drop constraint payment_amounts,
  add constraint payment_amounts check (amount > 0 and on_invoice >= 0 and on_invoice <= amount and scale(amount) <= 8 and amount < 1e15);
