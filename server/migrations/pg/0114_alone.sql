alter table payment
  -- what the call that made it asked for, as a digest: a key names one call; null: by an older version, or by a file
  add column asked text;
-- what one person gave alone within a day is added up
create index payment_alone on payment (made_by, created_at);

-- who paid a receipt back, and when
alter table receipt
  add column back_by integer references account (id),
  add column back_at timestamptz;
update receipt r set back_by = t.actor_id, back_at = t.booked_at
  from ledger_transfer t where t.receipt_id = r.id and t.key = 'receipt:' || r.id || ':back' and r.paid_back > 0;
create index receipt_back on receipt (back_by, back_at) where back_at is not null;
