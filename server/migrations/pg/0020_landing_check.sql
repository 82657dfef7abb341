-- Landings that wait for a decision are looked at too: whoever decides should know whether the page is there.
drop index landing_next_check;
create index landing_next_check on landing (next_check_at) where status in ('active', 'moderation');
