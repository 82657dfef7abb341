-- What an advertiser pays for a goal by country, wherever the place of its product in an offer says nothing of its own, and in which currency.
alter table product add currency text references currency (code), add prices jsonb not null default '[]';
update product p set currency = d.currency from advertiser d where d.id = p.advertiser_id;
alter table product alter currency set not null;
-- Errors in a row after which a product rests, and the minutes of its first rest: those of `BREAKER` in contract/leads/product.ts.
alter table product
  add breaker_failures integer not null default 10 constraint product_breaker_failures check (breaker_failures between 1 and 100),
  add breaker_minutes integer not null default 5 constraint product_breaker_minutes check (breaker_minutes between 1 and 60);
