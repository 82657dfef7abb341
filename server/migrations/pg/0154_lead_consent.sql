-- Where people of an offer go on once their link is used up, and what a consent must hold for their leads to be taken.
alter table api_offer add column thank_you_url text not null default '';
alter table api_offer add column consent jsonb not null default '{"mode": "off", "fields": []}';
-- of a form its own page
alter table lead_entry add column thank_you_url text not null default '';
