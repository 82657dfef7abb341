-- An entry tells the whole state it led to, so that the decision after it can be taken back to just that; no part of the chain's body.
alter table conversion_history add column hold_until timestamptz;

alter table conversion_history disable trigger conversion_history_append_only;
update conversion_history h
   set hold_until = c.hold_until
  from conversion c
 where c.status = 'hold'
   and h.conversion_id = c.id
   and h.to_status = 'hold'
   and not exists (select from conversion_history later where later.conversion_id = h.conversion_id and later.seq > h.seq);
alter table conversion_history enable trigger conversion_history_append_only;
