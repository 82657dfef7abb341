-- When an advertiser is invoiced by itself; null = as the network has it.
alter table advertiser_billing
  add column schedule  text,
  -- { "USD": "50" }
  add column minimums  jsonb,
  -- days a conversion waits beyond the hold of its offer
  add column hold_days integer,
  add column makes     text,
  add constraint advertiser_billing_schedule_known check (schedule in ('weekly', 'twice_a_month', 'monthly', 'on_request')),
  add constraint advertiser_billing_makes_known check (makes in ('propose', 'drafts', 'send')),
  add constraint advertiser_billing_hold check (hold_days between 0 and 90);

-- A run makes invoices of affiliates, or of advertisers: each side has its own of a period.
alter table billing_run
  add column side text not null default 'affiliates',
  add constraint billing_run_side_known check (side in ('affiliates', 'advertisers')),
  drop constraint billing_run_once,
  add constraint billing_run_once unique (side, schedule, period_to);
alter table billing_run_row
  alter column affiliate_id drop not null,
  add column advertiser_id integer references advertiser (id),
  add column advertiser_invoice_id integer references advertiser_invoice (id),
  add constraint billing_run_row_whose check (num_nonnulls(affiliate_id, advertiser_id) = 1),
  add constraint billing_run_row_advertiser unique (run_id, advertiser_id, currency);
alter table advertiser_invoice
  -- which row of a run it was made of
  add column run_row_id bigint unique references billing_run_row (id),
  -- what its conversions waited beyond their hold when it was made: a refresh lets them wait as long
  add column hold_days integer not null default 0;
