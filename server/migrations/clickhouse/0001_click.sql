-- One row per click as the tracker wrote it, refused and filtered ones too. Columns: server/rules/click-row.ts.
-- Sorted by affiliate and time: an affiliate's views read few granules, and a click is found by the three parts of its
-- own id (affiliate, ts, rnd) without an index of ids. Codecs and types were measured: 39 bytes a click instead of 70.
-- The deduplication window is counted in inserts; a segment sent again is recognised among the last 10,000.
CREATE TABLE IF NOT EXISTS click (
  ts           DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
  rnd          UInt32 CODEC(NONE),
  affiliate    UInt32 CODEC(Delta, ZSTD(1)),
  offer        UInt32 CODEC(Delta, ZSTD(1)),
  advertiser   UInt32 CODEC(ZSTD(1)),
  landing      UInt32 CODEC(T64, ZSTD(1)),
  prelanding   UInt32 CODEC(T64, ZSTD(1)),
  geo          LowCardinality(FixedString(2)) DEFAULT 'ZZ' CODEC(ZSTD(1)),
  device       LowCardinality(String) CODEC(ZSTD(1)),
  os           LowCardinality(String) CODEC(ZSTD(1)),
  browser      LowCardinality(String) CODEC(ZSTD(1)),
  lang         LowCardinality(String) CODEC(ZSTD(1)),
  source       LowCardinality(String) CODEC(ZSTD(1)),
  sub1         LowCardinality(String) CODEC(ZSTD(1)),
  sub2         String CODEC(ZSTD(1)),
  sub3         String CODEC(ZSTD(1)),
  sub4         String CODEC(ZSTD(1)),
  sub5         String CODEC(ZSTD(1)),
  sub6         String CODEC(ZSTD(1)),
  sub7         String CODEC(ZSTD(1)),
  sub8         String CODEC(ZSTD(1)),
  sub9         String CODEC(ZSTD(1)),
  sub10        String CODEC(ZSTD(1)),
  aff_click_id String CODEC(ZSTD(1)),
  ip           IPv6 CODEC(ZSTD(1)),
  ua           LowCardinality(String) CODEC(ZSTD(1)),
  visitor      UInt64 CODEC(NONE),
  reason       LowCardinality(String) CODEC(ZSTD(1)),
  flags        UInt8 CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(ts)
ORDER BY (affiliate, ts)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;
