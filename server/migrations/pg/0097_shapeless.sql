-- kept calls that came before shapes existed, for the job that gives them theirs
create index postback_in_shapeless on postback_in (reason, id)
  where shape = '' and outcome = 'refused' and not stranger and dismissed_at is null and advertiser_id is not null;
