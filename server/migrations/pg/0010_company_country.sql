-- An unset country of a company is null, as that of an affiliate is.

update advertiser set company = jsonb_set(company, '{country}', 'null') where company ->> 'country' = '';
