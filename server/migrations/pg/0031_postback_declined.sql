-- An approval that found a full cap is an outcome of its own: it changed nothing, and is no repeat.
alter table postback_in drop constraint postback_in_outcome_known;
alter table postback_in add constraint postback_in_outcome_known
  check (outcome in ('created', 'changed', 'declined', 'repeat', 'refused', 'waiting', 'unmatched', 'test'));
