-- What takes two people: also discounts of advertisers, payments of which too much is in advance, and taking the rule itself away.
alter table proposal
  add column advertiser_adjustment_id int references advertiser_adjustment (id),
  drop constraint proposal_kind_check,
  add constraint proposal_kind_check check (kind in ('bonus', 'correction', 'write_off', 'opening', 'given_up', 'forfeited', 'prepayment', 'discount', 'fee', 'advance', 'rules')),
  drop constraint proposal_write_off_of_advertiser,
  add constraint proposal_of_advertiser check ((kind in ('write_off', 'discount', 'fee')) = (advertiser_invoice_id is not null)),
  drop constraint proposal_of_one_invoice,
  add constraint proposal_of_one check (num_nonnulls(invoice_id, advertiser_invoice_id, affiliate_id) = case kind when 'rules' then 0 else 1 end),
  drop constraint proposal_without_invoice,
  add constraint proposal_without_invoice check (kind not in ('opening', 'given_up', 'forfeited', 'prepayment') or affiliate_id is not null),
  drop constraint proposal_asked,
  add constraint proposal_asked check ((affiliate_id is not null or kind in ('advance', 'rules')) = (asked is not null));
drop index proposal_one_write_off;
create unique index proposal_one_write_off on proposal (advertiser_invoice_id) where state = 'open' and kind = 'write_off';
create unique index proposal_one_rules on proposal (kind) where state = 'open' and kind = 'rules';
create index proposal_of_advertiser_invoice on proposal (advertiser_invoice_id) where advertiser_invoice_id is not null;
