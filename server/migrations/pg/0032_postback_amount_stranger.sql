-- Only the amount changed: told apart from a change of status.
alter table postback_in drop constraint postback_in_outcome_known;
alter table postback_in add constraint postback_in_outcome_known
  check (outcome in ('created', 'changed', 'amount_changed', 'declined', 'repeat', 'refused', 'waiting', 'unmatched', 'test'));
-- It named neither a click of ours nor anybody's token, and came from no listed address: nobody has to map its words.
alter table postback_in add column stranger boolean not null default false;
