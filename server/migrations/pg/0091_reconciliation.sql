-- Reports of advertisers (and exports of affiliates' trackers, to be looked at) held against what we have. A row is a line of the file, a
-- conversion the file does not have, or both.
create table reconciliation (
  id            integer generated always as identity primary key,
  uuid          uuid not null default gen_random_uuid(),
  state         text not null default 'uploaded',
  revision      integer not null default 1,
  advertiser_id integer references advertiser (id),
  affiliate_id  integer references affiliate (id),
  file_name     text not null,
  format        text not null,
  encoding      text,
  delimiter     text,
  columns       text[] not null,
  row_count     integer not null,
  -- how the file is read: columns, words, numbers, dates
  reading       jsonb not null,
  remembered    boolean not null default false,
  period_from   date,
  period_to     date,
  time_zone     text not null default 'UTC',
  -- asked to be matched, and not yet: a worker takes it from there
  matching_at   timestamptz,
  problem       text not null default '',
  zone          jsonb,
  clock_offset  integer,
  zone_confirmed boolean not null default false,
  postbacks     boolean not null default true,
  counter_of    integer references reconciliation (id) on delete set null,
  created_by    integer not null references account (id),
  applied_by    integer references account (id) on delete set null,
  undone_by     integer references account (id) on delete set null,
  created_at    timestamptz not null,
  matched_at    timestamptz,
  applying_at   timestamptz,
  applied_at    timestamptz,
  undone_at     timestamptz,
  constraint reconciliation_uuid_key unique (uuid),
  constraint reconciliation_counter_once unique (counter_of),
  constraint reconciliation_state_known check (state in ('uploaded', 'matched', 'applying', 'applied', 'undoing', 'undone')),
  constraint reconciliation_format_known check (format in ('csv', 'xlsx', 'counter')),
  constraint reconciliation_of_one check ((advertiser_id is null) <> (affiliate_id is null))
);
create index reconciliation_newest on reconciliation (created_at desc, id desc);
create index reconciliation_of_advertiser on reconciliation (advertiser_id, id desc) where advertiser_id is not null;
create index reconciliation_of_affiliate on reconciliation (affiliate_id, id desc) where affiliate_id is not null;
create index reconciliation_working on reconciliation (id) where matching_at is not null or state in ('applying', 'undoing');

create table reconciliation_row (
  batch_id      integer not null references reconciliation (id) on delete cascade,
  -- as a spreadsheet counts; what the report does not have comes after its last line
  line          integer not null,
  in_report     boolean not null,
  cells         text[] not null default '{}',
  -- the line as it was read
  theirs        jsonb,
  conversion_id bigint references conversion (id),
  key           text,
  cause         text,
  detail        text not null default '',
  proposal      text not null default 'none',
  action        text not null default 'none',
  becomes_correction boolean not null default false,
  -- what the proposal makes of the conversion, and what the conversion was when it was looked at
  proposed      jsonb,
  seen          jsonb,
  -- what was planned to change, and by how much
  becomes       jsonb,
  offer_id      integer references offer (id),
  affiliate_id  integer references affiliate (id),
  currency      text,
  payout        numeric not null default 0,
  revenue       numeric not null default 0,
  done_payout   numeric,
  done_revenue  numeric,
  their_amount  numeric,
  our_amount    numeric,
  state         text not null default 'open',
  reason        text not null default '',
  -- the entry of the history it made, and what the conversion was before; null for one it made
  seq           integer,
  before        jsonb,
  primary key (batch_id, line),
  constraint reconciliation_row_state_known check (state in ('open', 'applied', 'same', 'skipped', 'undone', 'kept')),
  constraint reconciliation_row_action_known check (action in ('none', 'approve', 'create', 'decline', 'correct', 'restore'))
);
create unique index reconciliation_row_conversion_once on reconciliation_row (batch_id, conversion_id) where conversion_id is not null and cause is distinct from 'duplicate_theirs';
create index reconciliation_row_cause on reconciliation_row (batch_id, cause, line);
create index reconciliation_row_open on reconciliation_row (batch_id, line) where state = 'open' and action <> 'none';
create index reconciliation_row_of_conversion on reconciliation_row (conversion_id) where conversion_id is not null;

-- How the reports of an advertiser, or exports of an affiliate, are read: kept from one to the next, columns by their names.
create table report_reading (
  id            integer generated always as identity primary key,
  advertiser_id integer references advertiser (id) on delete cascade,
  affiliate_id  integer references affiliate (id) on delete cascade,
  columns       jsonb not null,
  reading       jsonb not null,
  clock_offset  integer,
  updated_at    timestamptz not null,
  constraint report_reading_advertiser_key unique (advertiser_id),
  constraint report_reading_affiliate_key unique (affiliate_id),
  constraint report_reading_of_one check ((advertiser_id is null) <> (affiliate_id is null))
);

-- Which batch changed a conversion.
alter table conversion_history add column batch_id integer references reconciliation (id) on delete set null;
create index conversion_history_batch on conversion_history (batch_id) where batch_id is not null;
-- Transactions are compared ignoring their case too.
create index conversion_transaction_folded on conversion (advertiser_id, lower(transaction_id)) where transaction_id is not null;
