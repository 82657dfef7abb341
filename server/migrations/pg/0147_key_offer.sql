-- Offers of leads a key is bound to: with any of them it calls the lead API for these alone.
alter table api_key add column offer_ids integer[] not null default '{}';

-- what affiliates' systems ask for: leads that changed since they asked last
create index user_session_changed on user_session (affiliate_id, changed_at, id);
