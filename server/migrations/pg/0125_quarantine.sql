-- Which places of caps a send took: they are given back where a person says that it was not accepted.
alter table lead_send add column places jsonb not null default '[]';
-- those nobody knows the answer of wait for a person
create index lead_send_ambiguous on lead_send (asked_at) where status = 'ambiguous';
