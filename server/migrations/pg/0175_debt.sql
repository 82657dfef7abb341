-- A payment to an affiliate to whom less is owed than this, as somebody said; others are taken off their file where that comes to be.
alter table payout add column leaves_debt boolean not null default false;
-- A draft of chosen conversions whose affiliate owes: that is left to the next invoice, as somebody said.
alter table billing_run_row add column leaves_debt boolean not null default false;
