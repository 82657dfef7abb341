-- What failed while it was worked off is put back, so that it holds up nothing behind it: until when, and how often in a row it failed.
alter table lead_word
  add column due_at   timestamptz,
  add column failures integer not null default 0;
alter table lead_authority
  add column due_at   timestamptz,
  add column failures integer not null default 0;
alter table reconciliation
  add column due_at   timestamptz,
  add column failures integer not null default 0;
