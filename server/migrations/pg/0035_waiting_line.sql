-- Postbacks that wait for one click are applied in the order in which they came.
create index postback_in_waiting_line on postback_in (click_id, id) where outcome = 'waiting';
