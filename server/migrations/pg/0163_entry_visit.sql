-- From where an entry was opened, beside what its lead told of itself: null = one of the two is not known, or it was opened before this was kept.
alter table lead_entry
  add column country text not null default '',
  add column other_country boolean,
  add column other_address boolean,
  add column other_agent boolean;
-- the story of a lead asks by its sends, and so does whoever forgets a person
create index lead_entry_send on lead_entry (send_id);
