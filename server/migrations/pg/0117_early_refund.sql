-- Refunds a shop told of before their order was booked, and the orders nobody of ours brought: looked for by the order's number.
create index postback_in_order on postback_in (transaction_id)
  where outcome = 'refused' and reason in ('refund_early', 'not_ours') and transaction_id <> '';
