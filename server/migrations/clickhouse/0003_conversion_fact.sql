-- What conversions contribute to reports, append-only. A row is a delta: sign 1 adds a conversion in one state, sign -1
-- takes the same state away again, so a status change appends the old state negated and the new one, both with the
-- original times and dimensions. Sums over sign are the truth at any moment, past periods restate, and the order in
-- which rows arrive does not matter. Money is in the row's currency.
--   ts        when the conversion was received; click_ts: when its click happened
--   ttc       seconds from click to conversion
--   test      1 = a test conversion, in no figure
CREATE TABLE IF NOT EXISTS conversion_fact (
  conversion UInt64 CODEC(Delta, ZSTD(1)),
  sign       Int8,
  ts         DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  click_ts   DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  affiliate  UInt32 CODEC(T64, ZSTD(1)),
  offer      UInt32 CODEC(T64, ZSTD(1)),
  advertiser UInt32 CODEC(T64, ZSTD(1)),
  landing    UInt32 CODEC(T64, ZSTD(1)),
  prelanding UInt32 CODEC(T64, ZSTD(1)),
  goal       UInt32 CODEC(T64, ZSTD(1)),
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
  currency   LowCardinality(String) CODEC(ZSTD(1)),
  status     LowCardinality(String) CODEC(ZSTD(1)),
  test       UInt8 CODEC(ZSTD(1)),
  payout     Decimal(18, 4) CODEC(ZSTD(1)),
  revenue    Decimal(18, 4) CODEC(ZSTD(1)),
  ttc        UInt32 CODEC(T64, ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(ts)
ORDER BY (affiliate, ts, conversion)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;
