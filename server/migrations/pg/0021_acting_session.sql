-- An acting session belongs to the session it came from, and ends with it: the member of staff behind it is whoever that
-- one belongs to. Those from before do not know where they came from; they would have ended within two hours.
delete from session where acting_account_id is not null;
alter table session drop column acting_account_id;
alter table session add column acting_from_id integer references session (id) on delete cascade;
create index session_acting_from on session (acting_from_id);
