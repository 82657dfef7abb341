-- Whose somebody of a distribution is stands with them: a team lead's pages are read and counted without looking everybody up.
alter table recold_item add column affiliate_id integer references affiliate (id);
update recold_item i set affiliate_id = t.affiliate_id from lead_list_item t where t.id = i.list_item_id and t.affiliate_id is not null;
-- how many stand where, why, and whose: alike keys, so that it is small
drop index recold_item_count;
create index recold_item_count on recold_item (recold_id, status, skip_reason, country, affiliate_id);
create index recold_item_next on recold_item (recold_id, scheduled_at) where status = 'scheduled';
