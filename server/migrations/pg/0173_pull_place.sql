-- How far a product was asked about its leads: of those it is always asked about, and of older ones; null = not begun. `rounded_at`: when
-- it was asked about all of the former.
alter table product_pull
  add column round      jsonb,
  add column rounded_at timestamptz,
  add column sweep      jsonb;
