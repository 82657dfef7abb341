-- What authorises an advertiser's postbacks. Nothing gets looser: where there is a list, the token is asked for too, as before.
alter table advertiser add postback_auth text not null default 'token';
update advertiser set postback_auth = 'both' where allowed_ips <> '{}';
alter table advertiser
  add constraint advertiser_postback_auth_known check (postback_auth in ('token', 'ip', 'either', 'both')),
  add constraint advertiser_postback_auth_has_list check ((postback_auth = 'token') = (allowed_ips = '{}'));

alter table postback_in
  -- null = refused before anybody could tell
  add authorized boolean,
  -- sha256 of the token that was sent, kept while it authorised nothing: it may by the time of a replay
  add token_hash text;
update postback_in set authorized = outcome <> 'refused'
    or reason not in ('token_wrong', 'signature_wrong', 'signature_stale', 'ip_not_allowed', 'click_id_missing', 'click_id_unknown', 'offer_unknown', 'body_invalid');
