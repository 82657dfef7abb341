-- Lists of leads by what became of them: of a rare status the newest are found without looking at all that came since.
create index user_session_status on user_session (status, received_at desc);
drop index user_session_held;

-- An affiliate's, counted by status without visiting each.
drop index user_session_affiliate;
create index user_session_affiliate on user_session (affiliate_id, received_at desc) include (status);

-- A lead is written when it comes, when it is offered and when it is decided: room for the second to stay on its page, out of the indexes.
alter table user_session set (fillfactor = 80);
