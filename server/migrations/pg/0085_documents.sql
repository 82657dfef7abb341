-- What advertisers get and what months come to are documents too: kept as they were handed out.
alter table document
  drop constraint document_kind_known,
  add constraint document_kind_known check (
    kind in ('invoice', 'credit_note', 'advertiser_invoice', 'advertiser_credit_note', 'statement', 'act', 'advertiser_act'));

-- What an advertiser's documents are written in; null = as the network's.
alter table advertiser_billing add column document_language text,
  add constraint advertiser_billing_document_language_known check (document_language in ('en', 'uk', 'both'));

-- A document that goes along with a message.
alter table mail add column document_id integer references document (id);
