-- Clicks of offers of leads are told from those of direct links also where they are kept by affiliate, without their offer:
-- an offer of leads has no advertiser of its own. What was rolled up before was of direct links.
ALTER TABLE click_by_affiliate ADD COLUMN IF NOT EXISTS leads UInt8 CODEC(ZSTD(1)), MODIFY ORDER BY (affiliate, quarter, leads);
-- Made anew, for the reason of 0006.
DROP TABLE IF EXISTS click_by_affiliate_fill SYNC;
CREATE MATERIALIZED VIEW IF NOT EXISTS click_by_affiliate_fill TO click_by_affiliate AS
SELECT
  toStartOfFifteenMinutes(ts) AS quarter,
  affiliate,
  offer != 0 AND advertiser = 0 AS leads,
  countIf(bitAnd(flags, 7) = 0 AND reason = '') AS clicks,
  countIf(bitAnd(flags, 7) = 0 AND reason != '') AS refused,
  countIf(bitAnd(flags, 7) != 0) AS filtered,
  uniqCombinedStateIf(14)(visitor, bitAnd(flags, 7) = 0 AND reason = '') AS visitors
FROM click
WHERE bitAnd(flags, 8) = 0
GROUP BY quarter, affiliate, leads;
