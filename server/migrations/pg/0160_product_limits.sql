-- hours and caps of a product itself hold over all its places in offers, and over warm and cold leads together
alter table product
  add hours jsonb,
  add caps jsonb not null default '[]';
