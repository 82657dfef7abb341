-- The path a link had in the tracker the network came from, where it is one: null for short links made here.
alter table link add column kept_from text;
alter table link add constraint link_kept_from_bounded check (length(kept_from) between 1 and 300);
create index link_kept on link (offer_id, created_at desc, code) where kept_from is not null;
