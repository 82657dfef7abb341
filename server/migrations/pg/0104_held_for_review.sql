-- It would change what is paid, and the network asks first: nothing was changed, and staff decide.
alter table postback_in drop constraint postback_in_outcome_known;
alter table postback_in add constraint postback_in_outcome_known
  check (outcome in ('created', 'changed', 'amount_changed', 'declined', 'repeat', 'refused', 'waiting', 'unmatched', 'test', 'held_for_review'));
create index postback_in_held on postback_in (received_at) where outcome = 'held_for_review' and dismissed_at is null;
