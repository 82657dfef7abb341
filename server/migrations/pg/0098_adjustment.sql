-- What staff book for an affiliate need not stand on a draft: bonuses and corrections that the next invoice takes, what it had in
-- another system, debts given up, balances forfeited, and payments in advance.
alter table adjustment
  add column uuid          uuid not null default gen_random_uuid() unique,
  -- of the call that made it; null: it was made on an invoice
  add column key           uuid unique,
  -- what it is against in the books
  add column purpose       text not null default 'given',
  -- from when on it counts
  add column at            timestamptz,
  -- what its affiliate never reads
  add column internal_note text not null default '',
  add column void_by       integer references account (id),
  add column void_reason   text not null default '';
update adjustment set at = created_at;
alter table adjustment
  alter column at set not null,
  add constraint adjustment_purpose_known check (purpose in ('given', 'opening', 'given_up', 'forfeited')),
  add constraint adjustment_purpose_account check (purpose = 'given' or kind = 'correction'),
  add constraint adjustment_purpose_sign check ((purpose <> 'given_up' or amount > 0) and (purpose <> 'forfeited' or amount < 0));
create index adjustment_affiliate on adjustment (affiliate_id, created_at);

-- a payment in advance is for no invoice
alter table payment
  alter column invoice_id drop not null,
  -- what its affiliate never reads
  add column internal_note text not null default '',
  add constraint payment_in_advance check (invoice_id is not null or on_invoice = 0);

-- proposed without an invoice
alter table proposal
  add column affiliate_id int references affiliate (id),
  -- of the call that proposed it
  add column key uuid unique,
  -- what else is booked when it is confirmed
  add column asked jsonb,
  drop constraint proposal_kind_check,
  add constraint proposal_kind_check check (kind in ('bonus', 'correction', 'write_off', 'opening', 'given_up', 'forfeited', 'prepayment')),
  drop constraint proposal_of_one_invoice,
  add constraint proposal_of_one_invoice check (num_nonnulls(invoice_id, advertiser_invoice_id, affiliate_id) = 1),
  add constraint proposal_asked check ((affiliate_id is null) = (asked is null)),
  add constraint proposal_without_invoice check (kind in ('bonus', 'correction', 'write_off') or affiliate_id is not null);
create index proposal_of_affiliate on proposal (affiliate_id) where affiliate_id is not null;

-- affiliates are told of it
do $$
declare
  known record;
begin
  for known in
    select (select string_agg(quote_literal(word[1]), ', ')
              from regexp_matches(pg_get_expr(c.conbin, c.conrelid), '''([a-z_]+)''', 'g') as word) as words
      from pg_constraint c where c.conname = 'notification_kind_known'
  loop
    alter table notification drop constraint notification_kind_known;
    execute format('alter table notification add constraint notification_kind_known check (kind in (%s, %L))', known.words, 'balance_changed');
  end loop;
end $$;
