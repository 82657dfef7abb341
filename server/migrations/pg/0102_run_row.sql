alter table billing_run_row
  -- of invoices of chosen conversions: which
  add column conversions bigint[],
  -- what the invoice came to when it was made; null: by an older version, or not made
  add column made numeric;
