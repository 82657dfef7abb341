-- People are forgotten after their days, those first who were seen longest ago.
create index person_last_seen on person (last_seen_at, id) where erased_at is null;
create index person_erasure_by_clock on person_erasure (at) where by_id is null;
