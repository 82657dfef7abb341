-- A new token of an advertiser may leave the one before valid for a while, so that nothing is refused until the advertiser has
-- changed its system. Afterwards the old one is kept to be taken out of stored calls, not to let any in.
alter table advertiser
  add previous_token text,
  add previous_token_until timestamptz,
  add constraint advertiser_previous_token_ends check ((previous_token is null) = (previous_token_until is null));
create index advertiser_previous_token on advertiser (previous_token) where previous_token is not null;

-- Another token is no edit of the record: a form that stands open is not refused for it, as with offers.
drop trigger advertiser_version on advertiser;
create trigger advertiser_version before update on advertiser for each row
  execute function next_version('postback_token', 'previous_token', 'previous_token_until');
