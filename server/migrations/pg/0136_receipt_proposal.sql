-- What one person says came in from an advertiser takes a second one above the limit, and so does saying that the bank took it back.
alter table proposal
  add column advertiser_id int references advertiser (id),
  drop constraint proposal_kind_check,
  add constraint proposal_kind_check check (kind in ('bonus', 'correction', 'write_off', 'opening', 'given_up', 'forfeited', 'prepayment', 'discount', 'fee', 'advance', 'receipt', 'rules')),
  drop constraint proposal_of_one,
  add constraint proposal_of_one check (num_nonnulls(invoice_id, advertiser_invoice_id, affiliate_id, advertiser_id) = case kind when 'rules' then 0 else 1 end),
  add constraint proposal_of_payer check ((kind = 'receipt') = (advertiser_id is not null)),
  drop constraint proposal_asked,
  add constraint proposal_asked check ((affiliate_id is not null or kind in ('advance', 'receipt', 'rules')) = (asked is not null));
create index proposal_of_payer on proposal (advertiser_id) where advertiser_id is not null;

alter table receipt add column ended_by integer references account (id);
update receipt r set ended_by = t.actor_id
  from ledger_transfer t where t.receipt_id = r.id and t.key = 'receipt:' || r.id || ':bounced' and r.state = 'bounced';
create index receipt_alone on receipt (made_by, created_at);
create index receipt_bounced on receipt (ended_by, ended_at) where ended_at is not null;
