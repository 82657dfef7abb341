-- Bonuses, corrections and write-offs above the limit are proposed by one person and booked when a second one confirms them.
create table proposal (
  id int generated always as identity primary key,
  uuid uuid not null default gen_random_uuid() unique,
  kind text not null check (kind in ('bonus', 'correction', 'write_off')),
  invoice_id int references invoice (id),
  advertiser_invoice_id int references advertiser_invoice (id),
  currency text not null references currency (code),
  amount numeric not null check (scale(amount) <= 8 and abs(amount) < 1e15),
  note text not null,
  state text not null default 'open' check (state in ('open', 'confirmed', 'refused', 'lapsed')),
  made_by int not null references account (id),
  created_at timestamptz not null,
  decided_by int references account (id),
  decided_at timestamptz,
  reason text not null default '',
  -- the bonus or correction it became
  adjustment_id int references adjustment (id),
  constraint proposal_of_one_invoice check (num_nonnulls(invoice_id, advertiser_invoice_id) = 1),
  constraint proposal_write_off_of_advertiser check ((kind = 'write_off') = (advertiser_invoice_id is not null)),
  constraint proposal_by_two check (state <> 'confirmed' or decided_by <> made_by)
);
create unique index proposal_one_write_off on proposal (advertiser_invoice_id) where state = 'open';
create index proposal_of_invoice on proposal (invoice_id) where invoice_id is not null;
create index proposal_open on proposal (created_at) where state = 'open';
