-- what another platform's links called an offer, as affiliate.external_id is for affiliates
alter table offer add column external_id text not null default '';
-- how many opened the sign-up page by the code of an affiliate, per day
create table referral_visit (
  affiliate_id int  not null references affiliate (id) on delete cascade,
  day          date not null,
  visits       int  not null check (visits > 0),
  primary key (affiliate_id, day)
);
-- what the words of a status in files mean, by advertiser, as people said when they brought one
create table import_word (
  advertiser_id int  not null references advertiser (id) on delete cascade,
  word          text not null,
  means         text not null check (means in ('approved', 'pending', 'declined', 'trash', 'hold')),
  said_at       timestamptz not null,
  primary key (advertiser_id, word)
);
-- and in one import, until it is done; how its amounts are to be read
alter table conversion_import
  add column words jsonb not null default '[]',
  add column amount_is_sale boolean not null default false;
