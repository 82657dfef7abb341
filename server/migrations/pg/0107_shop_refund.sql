-- What was paid back of a shop's order, by the numbers of its refunds: told twice they are one, and several add up.
create table shop_refund (
  conversion_id bigint not null references conversion (id) on delete cascade,
  refund_id     text not null,
  -- in the currency the order was reported in
  amount        numeric not null check (amount >= 0),
  primary key (conversion_id, refund_id)
);

-- What such an order came to before any refund; conversion.reported_amount is what is left of it.
create table shop_order (
  conversion_id bigint primary key references conversion (id) on delete cascade,
  total         numeric not null
);
