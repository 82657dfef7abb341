-- what a call asked for, as a digest: the same call again is answered as the first time; null: by an older version, or by nobody
alter table invoice_history add column asked text;
alter table advertiser_invoice_history add column asked text;
alter table adjustment add column asked text;
alter table advertiser_invoice add column asked text;
alter table receipt
  add column asked text,
  -- of the change that came to its revision
  add column last_asked text;
alter table payout_file add column asked text;
-- what one person gave alone within a day is added up over all affiliates
create index adjustment_alone on adjustment (made_by, created_at);
