-- A failed postback nobody has to do anything about, of either direction: who said so, and when. It leaves the inbox of everybody.
alter table postback_in
  add column dismissed_at timestamptz,
  add column dismissed_by int references account (id);
alter table postback_delivery
  add column dismissed_at timestamptz,
  add column dismissed_by int references account (id);
