-- Which distribution brought a conversion stands with it: what one earned is read off an index, however many it was sent to.
alter table conversion add column recold_id integer references recold (id);
update conversion c set recold_id = s.recold_id from user_session s where s.click_id = c.click_id and s.recold_id is not null;
create index conversion_recold on conversion (recold_id, currency, status) include (revenue) where recold_id is not null and revenue > 0;
