-- What a document says beside its bytes, so that a copy of it says the same; null = it was made before this was kept.
alter table document add column printed jsonb;

-- The number an e-invoicing system (KSeF and such) gave an issued document, entered by hand; each stands on one document alone.
create table official_number (
  kind       text not null constraint official_number_kind_known check (kind in ('invoice', 'credit_note', 'advertiser_invoice', 'advertiser_credit_note')),
  subject_id integer not null,
  number     text not null constraint official_number_short check (length(number) between 1 and 60),
  primary key (kind, subject_id),
  foreign key (kind, subject_id) references document (kind, subject_id)
);
create unique index official_number_once on official_number (upper(number));
