-- A lead that lacked what a product's system asks for, so that nothing was sent: a verdict of ours, not of the advertiser.
alter table lead_send drop constraint lead_send_status_known;
alter table lead_send add constraint lead_send_status_known check (status in
  ('sending', 'accepted', 'pending', 'approved', 'rejected', 'duplicate', 'invalid', 'no_capacity', 'error', 'ambiguous', 'cancelled'));
update lead_send set status = 'invalid' where status = 'rejected' and http_status is null and reason like 'Nothing was sent: %is missing';
