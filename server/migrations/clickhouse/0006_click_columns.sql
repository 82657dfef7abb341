-- What cannot be made up later: versions, brand and model of the visitor's machine, region, city and network of the
-- address, the page the link stood on, an ad network's own id, what browsers tell of themselves, unread parameters.
ALTER TABLE click ADD COLUMN IF NOT EXISTS os_version LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS browser_version LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS brand LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS model LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS region LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS city LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS network LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS connection LowCardinality(String) DEFAULT 'unknown' CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS referrer LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS referrer_path String CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS ad_param LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS ad_id String CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS hints LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS unread String CODEC(ZSTD(1));
-- The inlet and its view are made anew: a view whose query was modified tells sent-again segments from new ones in
-- another way after the next start, and would store one twice that was cut off by a crash. Without the inlet an insert
-- fails and is tried again. Nothing is inserted while migrations run on one machine; on a cluster stop the ingesters.
DROP TABLE IF EXISTS click_inlet SYNC;
DROP TABLE IF EXISTS click_inlet_fill SYNC;
CREATE TABLE IF NOT EXISTS click_inlet (
  ts           DateTime64(3, 'UTC'),
  rnd          UInt32,
  affiliate    UInt32,
  offer        UInt32,
  advertiser   UInt32,
  landing      UInt32,
  prelanding   UInt32,
  geo          FixedString(2) DEFAULT 'ZZ',
  device       String,
  os           String,
  browser      String,
  lang         String,
  source       String,
  sub1         String,
  sub2         String,
  sub3         String,
  sub4         String,
  sub5         String,
  sub6         String,
  sub7         String,
  sub8         String,
  sub9         String,
  sub10        String,
  aff_click_id String,
  ip           IPv6,
  ua           String,
  visitor      UInt64,
  reason       String,
  flags        UInt8,
  os_version      String,
  browser_version String,
  brand           String,
  model           String,
  region          String,
  city            String,
  network         String,
  connection      String DEFAULT 'unknown',
  referrer        String,
  referrer_path   String,
  ad_param        String,
  ad_id           String,
  hints           String,
  unread          String
)
ENGINE = Null;
CREATE MATERIALIZED VIEW IF NOT EXISTS click_inlet_fill TO click AS
SELECT *
FROM click_inlet;
ALTER TABLE conversion_fact ADD COLUMN IF NOT EXISTS os_version LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS browser_version LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS brand LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS model LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS region LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS city LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS network LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS connection LowCardinality(String) DEFAULT 'unknown' CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS referrer LowCardinality(String) CODEC(ZSTD(1)),
  ADD COLUMN IF NOT EXISTS ad_param LowCardinality(String) CODEC(ZSTD(1));
