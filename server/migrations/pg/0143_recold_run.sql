alter table recold
  -- failures are counted from here
  add column resumed_at timestamptz,
  -- no product is open before
  add column rests_until timestamptz,
  -- by the hour, how many were to be sent when it was last started
  add column forecast jsonb not null default '[]',
  -- whose affiliates' people whoever made it may send; null = everybody's
  add column team integer[];
drop trigger recold_counts on recold;
create trigger recold_counts before update on recold for each row execute function next_version(
  'updated_at', 'pause_reason', 'taken_item_id', 'next_place', 'last_send_at', 'rests_until', 'forecast', 'resumed_at', 'started_at', 'finished_at',
  'caps_from', 'status', 'team');
-- whose window is open is asked country by country
create index recold_item_country on recold_item (recold_id, country, place) where status = 'pending';
-- what their sessions came to
create index recold_item_open on recold_item (session_id) where status in ('sending', 'ambiguous');
