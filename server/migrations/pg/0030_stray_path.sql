-- How often the tracking domain was called on which path that nobody serves, by day (UTC); '' = all others of the day.
create table stray_path (
  day     date not null,
  path    text not null check (length(path) <= 200),
  calls   bigint not null,
  last_at timestamptz not null,
  -- of '': the last hand-over that was counted, so that the same one is not counted again
  batch   uuid,
  primary key (day, path)
);
-- The kept calls of a path.
create index postback_in_stray on postback_in (left(path, 200), received_at desc) where reason = 'path_unknown';
