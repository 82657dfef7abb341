-- Who an affiliate is on documents, how it is taxed, and its agreement that we write its invoices.
create table tax_profile (
  affiliate_id integer primary key references affiliate (id),
  name         text not null default '',
  address      text not null default '',
  postcode     text not null default '',
  town         text not null default '',
  country      text,
  vat_id       text not null default '',
  registration text not null default '',
  -- decided by staff; null = by nobody yet
  vat_category text,
  vat_rate     numeric(6,3) not null default 0,
  exemption    text not null default '',
  vies_day     date,
  -- what was agreed to, word for word, and from where
  agreed_text  text,
  agreed_at    timestamptz,
  agreed_from  text,
  agreed_by    integer references account (id),
  version      integer not null default 1,
  updated_at   timestamptz not null,
  constraint tax_profile_vat_category_known check (vat_category in ('S', 'AE', 'E', 'O')),
  constraint tax_profile_agreed check (num_nonnulls(agreed_text, agreed_at, agreed_from, agreed_by) in (0, 4))
);

-- What an invoice is in law, from the moment it is sent: written in the affiliate's name, or a statement without VAT.
alter table invoice add column mode text,
  add constraint invoice_mode_known check (mode in ('self_billing', 'statement'));
update invoice set mode = 'statement' where status <> 'draft';

-- Documents as they were handed out: never changed, never drawn again.
create table document (
  id         integer generated always as identity primary key,
  uuid       uuid not null default gen_random_uuid() unique,
  kind       text not null,
  -- the row of the kind's own table
  subject_id integer not null,
  number     text,
  bytes      bytea not null,
  sha256     bytea not null,
  made_at    timestamptz not null,
  constraint document_kind_known check (kind in ('invoice', 'credit_note', 'advertiser_invoice', 'advertiser_credit_note')),
  constraint document_key unique (kind, subject_id)
);
create trigger document_append_only before update or delete on document for each row execute function refuse_change();
