-- Refunds of orders nobody of ours brought are looked at as well, should a file book their order; the orders themselves are many, and are not.
create index postback_in_refund on postback_in (transaction_id)
  where outcome = 'refused' and reason in ('refund_early', 'not_ours') and transaction_id <> '' and parsed -> 'refund' is not null
    and not stranger and dismissed_at is null;
