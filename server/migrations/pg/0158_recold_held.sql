-- Whom no product takes at the moment is held until one may; infinity: none will by itself.
alter table recold_item add column not_before timestamptz;
drop index recold_item_place;
create index recold_item_place on recold_item (recold_id, place) where status = 'pending' and not_before is null;
create index recold_item_held on recold_item (recold_id, not_before) where status = 'pending' and not_before is not null;
