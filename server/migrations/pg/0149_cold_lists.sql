-- leads and conversions of second sales are few beside the others, and looked for by themselves
create index user_session_cold on user_session (received_at desc) where traffic_type = 'cold';
create index conversion_cold on conversion (created_at desc, id desc) where carried ->> 'traffic' = 'cold';
