-- A request whose money went into a newer one of its affiliate ended by that, and nobody took it back.
alter table payout_request drop constraint payout_request_state_known;
update payout_request set state = 'joined' where state = 'withdrawn' and decided_by is null;
alter table payout_request add constraint payout_request_state_known check (state in ('open', 'accepted', 'declined', 'withdrawn', 'joined'));
