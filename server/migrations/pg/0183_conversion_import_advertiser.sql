-- Whose file it is, where somebody said so: rows about conversions of others are refused.
alter table conversion_import add column advertiser_id integer references advertiser (id);
