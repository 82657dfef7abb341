-- What user sessions and their sends contribute to reports: a row each, as deltas like those of conversion_fact. Filled from
-- PostgreSQL, in whose words the columns are.
--   kind        session, or send: one try to sell it to one product
--   ts          when the session came, or the send was made; session_ts: when the session came
--   advertiser  whom it was sent to; of a session who has it, 0 = nobody
--   status      of the session; outcome: of the send
--   ms          how long the advertiser took to answer
CREATE TABLE IF NOT EXISTS session_fact (
  kind       LowCardinality(String) CODEC(ZSTD(1)),
  sign       Int8,
  ts         DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  session_ts DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  session    UInt64 CODEC(Delta, ZSTD(1)),
  affiliate  UInt32 CODEC(T64, ZSTD(1)),
  offer      UInt32 CODEC(T64, ZSTD(1)),
  advertiser UInt32 CODEC(T64, ZSTD(1)),
  product    UInt32 CODEC(T64, ZSTD(1)),
  landing    UInt32 CODEC(T64, ZSTD(1)),
  prelanding UInt32 CODEC(T64, ZSTD(1)),
  geo        LowCardinality(FixedString(2)) DEFAULT 'ZZ' CODEC(ZSTD(1)),
  device     LowCardinality(String) CODEC(ZSTD(1)),
  os         LowCardinality(String) CODEC(ZSTD(1)),
  browser    LowCardinality(String) CODEC(ZSTD(1)),
  lang       LowCardinality(String) CODEC(ZSTD(1)),
  source     LowCardinality(String) CODEC(ZSTD(1)),
  sub1       LowCardinality(String) CODEC(ZSTD(1)),
  sub2       String CODEC(ZSTD(1)),
  sub3       String CODEC(ZSTD(1)),
  sub4       String CODEC(ZSTD(1)),
  sub5       String CODEC(ZSTD(1)),
  sub6       String CODEC(ZSTD(1)),
  sub7       String CODEC(ZSTD(1)),
  sub8       String CODEC(ZSTD(1)),
  sub9       String CODEC(ZSTD(1)),
  sub10      String CODEC(ZSTD(1)),
  origin     LowCardinality(String) CODEC(ZSTD(1)),
  traffic    LowCardinality(String) CODEC(ZSTD(1)),
  status     LowCardinality(String) CODEC(ZSTD(1)),
  reason     LowCardinality(String) CODEC(ZSTD(1)),
  outcome    LowCardinality(String) CODEC(ZSTD(1)),
  ms         UInt32 CODEC(T64, ZSTD(1)),
  os_version      LowCardinality(String) CODEC(ZSTD(1)),
  browser_version LowCardinality(String) CODEC(ZSTD(1)),
  brand           LowCardinality(String) CODEC(ZSTD(1)),
  model           LowCardinality(String) CODEC(ZSTD(1)),
  region          LowCardinality(String) CODEC(ZSTD(1)),
  city            LowCardinality(String) CODEC(ZSTD(1)),
  network         LowCardinality(String) CODEC(ZSTD(1)),
  connection      LowCardinality(String) DEFAULT 'unknown' CODEC(ZSTD(1)),
  referrer        LowCardinality(String) CODEC(ZSTD(1)),
  ad_param        LowCardinality(String) CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(ts)
ORDER BY (affiliate, ts, session)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;
