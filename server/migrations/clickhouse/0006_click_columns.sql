-- What cannot be made up later: versions, brand and model of the visitor's machine, region, city and network of the
-- address, the page the link stood on, an ad network's own id, what browsers tell of themselves, unread parameters.
ALTER TABLE click
  ADD COLUMN IF NOT EXISTS os_version LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS browser_version LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS brand LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS model LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS region LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS city LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS asn UInt32 CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS network LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS connection LowCardinality(String) DEFAULT 'unknown' CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS referrer LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS referrer_path String CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS ad_param LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS ad_id String CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS hints LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS unread String CODEC(ZSTD(1));
ALTER TABLE click_inlet
  ADD COLUMN IF NOT EXISTS os_version String,
  ADD COLUMN IF NOT EXISTS browser_version String,
  ADD COLUMN IF NOT EXISTS brand String,
  ADD COLUMN IF NOT EXISTS model String,
  ADD COLUMN IF NOT EXISTS region String,
  ADD COLUMN IF NOT EXISTS city String,
  ADD COLUMN IF NOT EXISTS asn UInt32,
  ADD COLUMN IF NOT EXISTS network String,
  ADD COLUMN IF NOT EXISTS connection String DEFAULT 'unknown',
  ADD COLUMN IF NOT EXISTS referrer String,
  ADD COLUMN IF NOT EXISTS referrer_path String,
  ADD COLUMN IF NOT EXISTS ad_param String,
  ADD COLUMN IF NOT EXISTS ad_id String,
  ADD COLUMN IF NOT EXISTS hints String,
  ADD COLUMN IF NOT EXISTS unread String;
ALTER TABLE click_inlet_fill MODIFY QUERY SELECT * FROM click_inlet;
ALTER TABLE conversion_fact
  ADD COLUMN IF NOT EXISTS os_version LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS browser_version LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS brand LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS model LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS region LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS city LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS asn UInt32 CODEC(T64, ZSTD(1)),
  ADD COLUMN IF NOT EXISTS network LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS connection LowCardinality(String) DEFAULT 'unknown' CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS referrer LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS ad_param LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS ad_id String CODEC(ZSTD(1));
