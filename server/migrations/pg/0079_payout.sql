-- By what terms an affiliate is paid where they are its own; the network's stand in the settings.
create table affiliate_terms (
  affiliate_id integer primary key references affiliate (id),
  schedule     text not null,
  net          integer not null,
  -- { "USD": "50" }
  minimums     jsonb not null default '{}',
  -- days a conversion waits beyond the hold of its offer
  hold_days    integer not null default 0,
  makes        text not null default 'propose',
  version      integer not null default 1,
  updated_at   timestamptz not null,
  constraint affiliate_terms_schedule_known check (schedule in ('weekly', 'twice_a_month', 'monthly', 'on_request')),
  constraint affiliate_terms_makes_known check (makes in ('propose', 'drafts', 'send')),
  constraint affiliate_terms_days check (net in (0, 7, 15, 30, 45, 60) and hold_days between 0 and 90)
);

-- What affiliates ask to be paid: everything available in a currency. Accepted, it is an invoice, whose state it has from then on.
create table payout_request (
  id           integer generated always as identity primary key,
  uuid         uuid not null default gen_random_uuid() unique,
  affiliate_id integer not null references affiliate (id),
  currency     text not null references currency (code),
  -- available when it was asked
  amount       numeric not null,
  state        text not null default 'open',
  invoice_id   integer unique references invoice (id),
  reason       text not null default '',
  created_at   timestamptz not null,
  decided_at   timestamptz,
  decided_by   integer references account (id),
  constraint payout_request_state_known check (state in ('open', 'accepted', 'declined', 'withdrawn')),
  constraint payout_request_accepted check ((state = 'accepted') = (invoice_id is not null)),
  constraint payout_request_decided check ((state = 'open') = (decided_at is null))
);
create unique index payout_request_open on payout_request (affiliate_id, currency) where state = 'open';
create index payout_request_affiliate on payout_request (affiliate_id, id desc);

-- Runs that nobody asked for are proposed, one for each schedule and period; `made` once their rows are there. One without anything to
-- invoice is kept as empty, so that its period is looked at once.
alter table billing_run
  add column schedule text,
  add column state text not null default 'made',
  add constraint billing_run_state_known check (state in ('proposed', 'made', 'dismissed', 'empty')),
  add constraint billing_run_schedule_known check (schedule in ('weekly', 'twice_a_month', 'monthly')),
  add constraint billing_run_once unique (schedule, period_to);
-- its invoice is sent to the affiliate once it is made
alter table billing_run_row add column sends boolean not null default false;
create index billing_run_row_sends on billing_run_row (id) where sends;

-- A month of an affiliate's money as it stood when it was over: never changed, each with the hash of the one before.
create table account_statement (
  id           integer generated always as identity primary key,
  uuid         uuid not null default gen_random_uuid() unique,
  affiliate_id integer not null references affiliate (id),
  month        text not null,
  content      text not null,
  sha256       text not null,
  made_at      timestamptz not null,
  constraint account_statement_month check (month ~ '^\d{4}-\d{2}$'),
  constraint account_statement_once unique (affiliate_id, month)
);
create trigger account_statement_append_only before update or delete on account_statement for each row execute function refuse_change();
