-- What advertisers reported, as they reported it; answers to postbacks; hosts of deliveries.

alter table conversion
  -- status, amount and currency of the last postback that changed it: the same again is a repeat, whatever happened since
  add column reported_status   text,
  add column reported_amount   numeric(18,4),
  add column reported_currency text,
  -- for the {ua} macro; cleared with the address when the click's is
  add column ua                text not null default '';

create index conversion_transaction on conversion (transaction_id) where transaction_id is not null;
create index conversion_aff_click on conversion (aff_click_id) where aff_click_id <> '';

-- What the advertiser was answered (or would have been, for one that waited): a repeat gets the same again.
alter table postback_in add column answer jsonb not null default '{}';

-- Deliveries of one host share its few places, so that a slow one delays nobody else.
alter table postback_delivery add column host text not null default '';
create index postback_delivery_newest on postback_delivery (affiliate_id, created_at desc, id desc);
