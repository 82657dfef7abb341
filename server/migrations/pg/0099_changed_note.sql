-- An affiliate's invoice may have credit notes over what has changed since, beside the one that ends it. One that adds is below zero, as on the side of advertisers.
alter table credit_note
  add column kind text not null default 'whole',
  drop constraint credit_note_invoice_id_key,
  add constraint credit_note_kind_known check (kind in ('whole', 'changed'));
alter table credit_note alter column kind drop default;
create unique index credit_note_whole_once on credit_note (invoice_id) where kind = 'whole';
create index credit_note_invoice on credit_note (invoice_id);

-- Of a credit note over what has changed: a correction that lives on.
alter table invoice_line add column credit_note_id integer references credit_note (id);

-- What notes added is credited below zero.
alter table invoice
  drop constraint invoice_not_negative,
  add constraint invoice_not_negative
    check (net >= 0 and vat >= 0 and open >= 0 and planned >= 0 and sent >= 0 and paid >= 0 and offset_prepaid >= 0);
alter table advertiser_invoice
  drop constraint advertiser_invoice_not_negative,
  add constraint advertiser_invoice_not_negative
    check ((net > 0 or status = 'draft') and open >= 0 and received >= 0 and offset_prepaid >= 0 and written_off >= 0);
alter table advertiser_credit_note
  drop constraint advertiser_credit_note_total,
  add constraint advertiser_credit_note_total check (total = net + vat and total <> 0);

-- Where changes after the number stand: usual = in a credit note where the invoice carried VAT, else on the next invoice.
alter table tax_profile
  add column corrections text not null default 'usual',
  add constraint tax_profile_corrections_known check (corrections in ('usual', 'line', 'note'));
