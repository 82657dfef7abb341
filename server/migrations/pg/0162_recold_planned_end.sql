-- when the last of those planned at the start, or when it was resumed, is to be sent
alter table recold add planned_end timestamptz;
