alter table conversion_import
  -- how the dates of new conversions are written
  add column dates text not null default 'iso',
  add constraint conversion_import_dates_known check (dates in ('iso', 'dmy', 'mdy'));
