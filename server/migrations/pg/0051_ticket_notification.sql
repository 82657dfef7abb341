-- People are told of messages in their tickets.
alter table notification add column ticket_id integer references ticket (id) on delete cascade;
alter table notification drop constraint notification_kind_known;
alter table notification add constraint notification_kind_known check (kind in (
  'access_requested', 'access_decided', 'affiliate_registered', 'affiliate_status', 'landing_decided', 'conversions_declined',
  'cap_nearly_full', 'cap_full', 'deliveries_given_up', 'offer_paused', 'payout_changed', 'ticket_message'));
