-- Amounts with up to eight decimals; those stored before keep their values. Said again it changes nothing.
ALTER TABLE conversion_fact MODIFY COLUMN payout Decimal(26, 8) CODEC(ZSTD(1)), MODIFY COLUMN revenue Decimal(26, 8) CODEC(ZSTD(1));
