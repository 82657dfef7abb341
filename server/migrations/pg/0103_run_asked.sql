alter table billing_run
  -- what the call asked for, as a digest: a key names one call; null: by an older version, or by no call
  add column asked text;
