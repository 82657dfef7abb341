-- Conversions are found by the id of an ad network, as clicks are; most have none.
create index conversion_ad_id on conversion ((carried ->> 'ad_id')) where carried ->> 'ad_id' <> '';
