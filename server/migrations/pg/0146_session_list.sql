-- An affiliate's leads of one status are found and counted in their order, without walking over those of others.
create index user_session_affiliate_status on user_session (affiliate_id, status, received_at desc);
drop index user_session_affiliate;
create index user_session_affiliate on user_session (affiliate_id, received_at desc);
