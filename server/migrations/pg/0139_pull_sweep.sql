-- When a product was asked last what became of leads older than those it is always asked about.
alter table product_pull add column swept_at timestamptz;
