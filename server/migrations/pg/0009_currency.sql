-- Amounts with up to eight decimals, and currencies as rows of a table.

-- Never deleted, and a code never changes: amounts, rates and histories name it for ever.
create table currency (
  code     text primary key,
  name     text not null,
  -- those of invoices and of what people read
  decimals smallint not null,
  -- written instead of the code; ISO currencies have the sign of the reader's language
  sign     text not null default '',
  kind     text not null default 'own',
  -- whether it can be chosen anew; one in use stays active
  active   boolean not null default true,
  constraint currency_code_shape check (code ~ '^[A-Z0-9]{3,10}$'),
  constraint currency_decimals_range check (decimals between 0 and 8),
  constraint currency_kind_known check (kind in ('iso', 'own'))
);
create function refuse_currency_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.code <> old.code or new.kind <> old.kind then
    raise exception 'a currency is never deleted or renamed' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger currency_permanent before update or delete on currency for each row execute function refuse_currency_change();

-- ISO 4217, without what has no minor unit there (metals, drawing rights, test codes).
insert into currency (code, name, decimals, kind, active)
select code, name, decimals, 'iso', false from (values
  ('AED', 'United Arab Emirates Dirham', 2), ('AFN', 'Afghan Afghani', 2), ('ALL', 'Albanian Lek', 2), ('AMD', 'Armenian Dram', 2),
  ('AOA', 'Angolan Kwanza', 2), ('ARS', 'Argentine Peso', 2), ('AUD', 'Australian Dollar', 2), ('AWG', 'Aruban Florin', 2),
  ('AZN', 'Azerbaijani Manat', 2), ('BAM', 'Bosnia-Herzegovina Convertible Mark', 2), ('BBD', 'Barbadian Dollar', 2), ('BDT', 'Bangladeshi Taka', 2),
  ('BHD', 'Bahraini Dinar', 3), ('BIF', 'Burundian Franc', 0), ('BMD', 'Bermudan Dollar', 2), ('BND', 'Brunei Dollar', 2),
  ('BOB', 'Bolivian Boliviano', 2), ('BOV', 'Bolivian Mvdol', 2), ('BRL', 'Brazilian Real', 2), ('BSD', 'Bahamian Dollar', 2),
  ('BTN', 'Bhutanese Ngultrum', 2), ('BWP', 'Botswanan Pula', 2), ('BYN', 'Belarusian Ruble', 2), ('BZD', 'Belize Dollar', 2),
  ('CAD', 'Canadian Dollar', 2), ('CDF', 'Congolese Franc', 2), ('CHE', 'WIR Euro', 2), ('CHF', 'Swiss Franc', 2), ('CHW', 'WIR Franc', 2),
  ('CLF', 'Chilean Unit of Account', 4), ('CLP', 'Chilean Peso', 0), ('CNY', 'Chinese Yuan', 2), ('COP', 'Colombian Peso', 2),
  ('COU', 'Colombian Real Value Unit', 2), ('CRC', 'Costa Rican Colón', 2), ('CUP', 'Cuban Peso', 2), ('CVE', 'Cape Verdean Escudo', 2),
  ('CZK', 'Czech Koruna', 2), ('DJF', 'Djiboutian Franc', 0), ('DKK', 'Danish Krone', 2), ('DOP', 'Dominican Peso', 2), ('DZD', 'Algerian Dinar', 2),
  ('EGP', 'Egyptian Pound', 2), ('ERN', 'Eritrean Nakfa', 2), ('ETB', 'Ethiopian Birr', 2), ('EUR', 'Euro', 2), ('FJD', 'Fijian Dollar', 2),
  ('FKP', 'Falkland Islands Pound', 2), ('GBP', 'British Pound', 2), ('GEL', 'Georgian Lari', 2), ('GHS', 'Ghanaian Cedi', 2),
  ('GIP', 'Gibraltar Pound', 2), ('GMD', 'Gambian Dalasi', 2), ('GNF', 'Guinean Franc', 0), ('GTQ', 'Guatemalan Quetzal', 2),
  ('GYD', 'Guyanaese Dollar', 2), ('HKD', 'Hong Kong Dollar', 2), ('HNL', 'Honduran Lempira', 2), ('HTG', 'Haitian Gourde', 2),
  ('HUF', 'Hungarian Forint', 2), ('IDR', 'Indonesian Rupiah', 2), ('ILS', 'Israeli New Shekel', 2), ('INR', 'Indian Rupee', 2),
  ('IQD', 'Iraqi Dinar', 3), ('IRR', 'Iranian Rial', 2), ('ISK', 'Icelandic Króna', 0), ('JMD', 'Jamaican Dollar', 2), ('JOD', 'Jordanian Dinar', 3),
  ('JPY', 'Japanese Yen', 0), ('KES', 'Kenyan Shilling', 2), ('KGS', 'Kyrgyz Som', 2), ('KHR', 'Cambodian Riel', 2), ('KMF', 'Comorian Franc', 0),
  ('KPW', 'North Korean Won', 2), ('KRW', 'South Korean Won', 0), ('KWD', 'Kuwaiti Dinar', 3), ('KYD', 'Cayman Islands Dollar', 2),
  ('KZT', 'Kazakhstani Tenge', 2), ('LAK', 'Laotian Kip', 2), ('LBP', 'Lebanese Pound', 2), ('LKR', 'Sri Lankan Rupee', 2),
  ('LRD', 'Liberian Dollar', 2), ('LSL', 'Lesotho Loti', 2), ('LYD', 'Libyan Dinar', 3), ('MAD', 'Moroccan Dirham', 2), ('MDL', 'Moldovan Leu', 2),
  ('MGA', 'Malagasy Ariary', 2), ('MKD', 'Macedonian Denar', 2), ('MMK', 'Myanmar Kyat', 2), ('MNT', 'Mongolian Tugrik', 2),
  ('MOP', 'Macanese Pataca', 2), ('MRU', 'Mauritanian Ouguiya', 2), ('MUR', 'Mauritian Rupee', 2), ('MVR', 'Maldivian Rufiyaa', 2),
  ('MWK', 'Malawian Kwacha', 2), ('MXN', 'Mexican Peso', 2), ('MXV', 'Mexican Investment Unit', 2), ('MYR', 'Malaysian Ringgit', 2),
  ('MZN', 'Mozambican Metical', 2), ('NAD', 'Namibian Dollar', 2), ('NGN', 'Nigerian Naira', 2), ('NIO', 'Nicaraguan Córdoba', 2),
  ('NOK', 'Norwegian Krone', 2), ('NPR', 'Nepalese Rupee', 2), ('NZD', 'New Zealand Dollar', 2), ('OMR', 'Omani Rial', 3),
  ('PAB', 'Panamanian Balboa', 2), ('PEN', 'Peruvian Sol', 2), ('PGK', 'Papua New Guinean Kina', 2), ('PHP', 'Philippine Peso', 2),
  ('PKR', 'Pakistani Rupee', 2), ('PLN', 'Polish Zloty', 2), ('PYG', 'Paraguayan Guarani', 0), ('QAR', 'Qatari Riyal', 2),
  ('RON', 'Romanian Leu', 2), ('RSD', 'Serbian Dinar', 2), ('RUB', 'Russian Ruble', 2), ('RWF', 'Rwandan Franc', 0), ('SAR', 'Saudi Riyal', 2),
  ('SBD', 'Solomon Islands Dollar', 2), ('SCR', 'Seychellois Rupee', 2), ('SDG', 'Sudanese Pound', 2), ('SEK', 'Swedish Krona', 2),
  ('SGD', 'Singapore Dollar', 2), ('SHP', 'St. Helena Pound', 2), ('SLE', 'Sierra Leonean Leone', 2), ('SOS', 'Somali Shilling', 2),
  ('SRD', 'Surinamese Dollar', 2), ('SSP', 'South Sudanese Pound', 2), ('STN', 'São Tomé & Príncipe Dobra', 2), ('SVC', 'Salvadoran Colón', 2),
  ('SYP', 'Syrian Pound', 2), ('SZL', 'Swazi Lilangeni', 2), ('THB', 'Thai Baht', 2), ('TJS', 'Tajikistani Somoni', 2),
  ('TMT', 'Turkmenistani Manat', 2), ('TND', 'Tunisian Dinar', 3), ('TOP', 'Tongan Paʻanga', 2), ('TRY', 'Turkish Lira', 2),
  ('TTD', 'Trinidad & Tobago Dollar', 2), ('TWD', 'New Taiwan Dollar', 2), ('TZS', 'Tanzanian Shilling', 2), ('UAH', 'Ukrainian Hryvnia', 2),
  ('UGX', 'Ugandan Shilling', 0), ('USD', 'US Dollar', 2), ('USN', 'US Dollar (next day)', 2), ('UYI', 'Uruguayan Peso (Indexed Units)', 0),
  ('UYU', 'Uruguayan Peso', 2), ('UYW', 'Uruguayan Nominal Wage Index Unit', 4), ('UZS', 'Uzbekistani Som', 2),
  ('VED', 'Venezuelan Digital Bolívar', 2), ('VES', 'Venezuelan Bolívar', 2), ('VND', 'Vietnamese Dong', 0), ('VUV', 'Vanuatu Vatu', 0),
  ('WST', 'Samoan Tala', 2), ('XAD', 'Arab Accounting Dinar', 2), ('XAF', 'Central African CFA Franc', 0), ('XCD', 'East Caribbean Dollar', 2),
  ('XCG', 'Caribbean guilder', 2), ('XOF', 'West African CFA Franc', 0), ('XPF', 'CFP Franc', 0), ('YER', 'Yemeni Rial', 2),
  ('ZAR', 'South African Rand', 2), ('ZMW', 'Zambian Kwacha', 2), ('ZWG', 'Zimbabwean Gold', 2)
) as iso (code, name, decimals);
update currency set active = true where code in ('BRL', 'CHF', 'CZK', 'EUR', 'GBP', 'INR', 'JPY', 'KWD', 'PLN', 'TRY', 'UAH', 'USD');

alter table affiliate add constraint affiliate_currency_fkey foreign key (currency) references currency (code);
alter table advertiser add constraint advertiser_currency_fkey foreign key (currency) references currency (code);
alter table offer add constraint offer_currency_fkey foreign key (currency) references currency (code);
alter table ledger_account add constraint ledger_account_currency_fkey foreign key (currency) references currency (code);
alter table currency_rate
  add constraint currency_rate_base_fkey foreign key (base) references currency (code),
  add constraint currency_rate_currency_fkey foreign key (currency) references currency (code);

-- Taking the limit off `numeric(18,4)` rewrites no row, so amounts keep their texts. Conversions have no foreign key: each
-- would lock the one row of its currency, and they take it from their offer.
alter table payout_rule
  alter column payout_fixed type numeric, alter column payout_fixed set default 0.0000,
  alter column revenue_fixed type numeric, alter column revenue_fixed set default 0.0000,
  add constraint payout_rule_amounts_exact check (
    scale(payout_fixed) <= 8 and abs(payout_fixed) < 1e15 and scale(revenue_fixed) <= 8 and abs(revenue_fixed) < 1e15);
alter table conversion
  alter column payout type numeric,
  alter column revenue type numeric,
  alter column amount type numeric,
  alter column reported_amount type numeric,
  add constraint conversion_currency_shape check (currency ~ '^[A-Z0-9]{3,10}$' and reported_currency ~ '^[A-Z0-9]{3,10}$'),
  add constraint conversion_amounts_exact check (
    scale(payout) <= 8 and abs(payout) < 1e15 and scale(revenue) <= 8 and abs(revenue) < 1e15
    and scale(amount) <= 8 and abs(amount) < 1e15 and scale(reported_amount) <= 8 and abs(reported_amount) < 1e15);
alter table ledger_entry
  alter column amount type numeric,
  add constraint ledger_entry_amount_exact check (scale(amount) <= 8 and abs(amount) < 1e15);
-- a balance adds up many amounts: it is exact, and as large as it gets
alter table ledger_account
  alter column balance type numeric, alter column balance set default 0.0000,
  add constraint ledger_account_balance_exact check (scale(balance) <= 8);
