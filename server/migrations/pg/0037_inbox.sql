-- What waits for a decision is counted every minute for everybody who is signed in.
create index conversion_pending on conversion (created_at) where status = 'pending';
create index affiliate_moderation on affiliate (created_at) where status = 'moderation';
create index postback_delivery_dead on postback_delivery (created_at) where state = 'dead';
create index postback_in_refused on postback_in (received_at) where outcome = 'refused' and not stranger;
