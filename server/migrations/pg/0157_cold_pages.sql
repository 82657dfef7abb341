-- Pages of people are read in the order they are shown in, and none of the others is looked at.
create index lead_list_item_country on lead_list_item (list_id, country, id);
create index lead_list_item_via on lead_list_item (list_id, via, id);
drop index lead_list_item_list;
create index lead_list_item_list on lead_list_item (list_id, id) include (removed_at, affiliate_id);
-- whom nobody sends to is counted out of indexes alone
drop index lead_list_item_person;
create index lead_list_item_person on lead_list_item (person_id) include (list_id, removed_at, affiliate_id);
drop index person_unsendable;
create index person_unsendable on person (id) include (suppressed_at, erased_at, restricted_at, test)
  where suppressed_at is not null or erased_at is not null or restricted_at is not null or test;
-- those under way and to come first, then the newest
create index recold_item_shown on recold_item (recold_id, (coalesce(scheduled_at, sent_at, ended_at)) desc nulls last, place, id);
drop index recold_item_status;
create index recold_item_status on recold_item (recold_id, status, (coalesce(scheduled_at, sent_at, ended_at)) desc nulls last, place, id);
-- how many stand where: alike keys, so that it is small
create index recold_item_count on recold_item (recold_id, status, country);
