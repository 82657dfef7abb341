-- Where clicks come in: the same columns as `click`, stored nowhere, handed on at once. Texts are read here as plain
-- strings and put into the dictionaries of `click` a block at a time; read from text one by one they cost as much as
-- all the rest of an insert.
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
  flags        UInt8
)
ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS click_inlet_fill TO click AS
SELECT *
FROM click_inlet;
