-- Files with contacts of leads in the clear: who asked, why, and which leads. The file stands here sealed, for a day.
create table contact_export (
  id          bigint generated always as identity primary key,
  uuid        uuid not null default gen_random_uuid(),
  account_id  integer not null references account (id),
  state       text not null default 'waiting',
  reason      text not null,
  note        text not null,
  -- what was found when it was asked for; emptied once the file is made: lead_reveal says of each lead that it was in one
  session_ids bigint[] not null,
  rows        integer not null,
  created_at  timestamptz not null,
  done_at     timestamptz,
  expires_at  timestamptz,
  sealed      bytea,
  -- of the file as it is handed out
  sha256      text,
  downloads   integer not null default 0,
  constraint contact_export_uuid_key unique (uuid),
  constraint contact_export_state_known check (state in ('waiting', 'ready', 'refused', 'failed', 'deleted')),
  constraint contact_export_reason_known check (reason in ('check', 'advertiser', 'affiliate', 'person', 'dispute', 'technical', 'other')),
  constraint contact_export_sealed_ready check ((state = 'ready') = (sealed is not null))
);
create index contact_export_account on contact_export (account_id, created_at);
create index contact_export_waiting on contact_export (id) where state = 'waiting';
create index contact_export_ready on contact_export (expires_at) where state = 'ready';

-- a lead that was in a file was looked at; null = on the screen, which is counted apart
alter table lead_reveal add column export_id bigint references contact_export (id);
