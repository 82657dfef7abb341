-- How amounts are written in files for an account: PayPal reads them as its account's region writes them.
alter table payment_source add column decimal_sign text not null default '.',
  add constraint payment_source_decimal_sign_known check (decimal_sign in ('.', ','));
