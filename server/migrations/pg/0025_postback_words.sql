-- What an advertiser's own words mean, and what it means when a postback names no status: one word is pending money at one
-- platform and approved at another, so there is no list for all.
alter table advertiser
  add postback_words jsonb not null default '[]',
  add no_status_approved boolean not null default true;
