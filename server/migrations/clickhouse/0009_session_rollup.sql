-- Roll-ups of `session_fact` for reports over the whole network, in quarter hours (UTC) like those of clicks. A row: what the
-- deltas of one quarter hour with the same dimensions add up to, so that a state taken away and put in anew counts as it does
-- there; cells in which nothing is left vanish when parts are merged. `traffic` tells warm leads from cold ones.
--   leads … leads_waiting   sessions, by what became of them; sends … answer_ms   tries to sell them, at the time they were made
-- Made by views over the same insert, under its token; made anew with the facts (`rebuild.service.ts`), and in no backup.
-- Filled here before their views are there: facts are moved by nobody while migrations run.

DROP TABLE IF EXISTS session_by_quarter_fill SYNC;
DROP TABLE IF EXISTS session_by_offer_fill SYNC;
DROP TABLE IF EXISTS session_by_affiliate_fill SYNC;
DROP TABLE IF EXISTS session_by_place_fill SYNC;
DROP TABLE IF EXISTS session_by_device_fill SYNC;
DROP TABLE IF EXISTS session_by_status_fill SYNC;
DROP TABLE IF EXISTS session_by_quarter SYNC;
DROP TABLE IF EXISTS session_by_offer SYNC;
DROP TABLE IF EXISTS session_by_affiliate SYNC;
DROP TABLE IF EXISTS session_by_place SYNC;
DROP TABLE IF EXISTS session_by_device SYNC;
DROP TABLE IF EXISTS session_by_status SYNC;

-- By time alone.
CREATE TABLE IF NOT EXISTS session_by_quarter (
  quarter         DateTime('UTC') CODEC(Delta, ZSTD(1)),
  traffic         LowCardinality(String) CODEC(ZSTD(1)),
  leads           Int64 CODEC(T64, ZSTD(1)),
  leads_accepted  Int64 CODEC(T64, ZSTD(1)),
  leads_rejected  Int64 CODEC(T64, ZSTD(1)),
  leads_duplicate Int64 CODEC(T64, ZSTD(1)),
  leads_waiting   Int64 CODEC(T64, ZSTD(1)),
  sends           Int64 CODEC(T64, ZSTD(1)),
  sends_accepted  Int64 CODEC(T64, ZSTD(1)),
  answered        Int64 CODEC(T64, ZSTD(1)),
  answer_ms       Int64 CODEC(T64, ZSTD(1))
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(quarter)
ORDER BY (quarter, traffic)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

INSERT INTO session_by_quarter (quarter, traffic, leads, leads_accepted, leads_rejected, leads_duplicate, leads_waiting, sends, sends_accepted, answered, answer_ms)
SELECT
  toStartOfFifteenMinutes(ts) AS quarter,
  traffic,
  sumIf(toInt64(sign), kind = 'session') AS leads,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('accepted', 'converted', 'closed')) AS leads_accepted,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('rejected', 'unsold')) AS leads_rejected,
  sumIf(toInt64(sign), kind = 'session' AND status = 'duplicate') AS leads_duplicate,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('received', 'held', 'queued', 'ambiguous')) AS leads_waiting,
  sumIf(toInt64(sign), kind = 'send') AS sends,
  sumIf(toInt64(sign), kind = 'send' AND outcome = 'accepted') AS sends_accepted,
  sumIf(toInt64(sign), kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')) AS answered,
  sumIf(sign * toInt64(ms), kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')) AS answer_ms
FROM session_fact
GROUP BY quarter, traffic;

CREATE MATERIALIZED VIEW IF NOT EXISTS session_by_quarter_fill TO session_by_quarter AS
SELECT
  toStartOfFifteenMinutes(ts) AS quarter,
  traffic,
  sumIf(toInt64(sign), kind = 'session') AS leads,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('accepted', 'converted', 'closed')) AS leads_accepted,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('rejected', 'unsold')) AS leads_rejected,
  sumIf(toInt64(sign), kind = 'session' AND status = 'duplicate') AS leads_duplicate,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('received', 'held', 'queued', 'ambiguous')) AS leads_waiting,
  sumIf(toInt64(sign), kind = 'send') AS sends,
  sumIf(toInt64(sign), kind = 'send' AND outcome = 'accepted') AS sends_accepted,
  sumIf(toInt64(sign), kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')) AS answered,
  sumIf(sign * toInt64(ms), kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')) AS answer_ms
FROM session_fact
GROUP BY quarter, traffic;

-- By offer, and by whom it was sent to; of a session who has it.
CREATE TABLE IF NOT EXISTS session_by_offer (
  quarter         DateTime('UTC') CODEC(Delta, ZSTD(1)),
  offer           UInt32 CODEC(T64, ZSTD(1)),
  advertiser      UInt32 CODEC(T64, ZSTD(1)),
  product         UInt32 CODEC(T64, ZSTD(1)),
  traffic         LowCardinality(String) CODEC(ZSTD(1)),
  leads           Int64 CODEC(T64, ZSTD(1)),
  leads_accepted  Int64 CODEC(T64, ZSTD(1)),
  leads_rejected  Int64 CODEC(T64, ZSTD(1)),
  leads_duplicate Int64 CODEC(T64, ZSTD(1)),
  leads_waiting   Int64 CODEC(T64, ZSTD(1)),
  sends           Int64 CODEC(T64, ZSTD(1)),
  sends_accepted  Int64 CODEC(T64, ZSTD(1)),
  answered        Int64 CODEC(T64, ZSTD(1)),
  answer_ms       Int64 CODEC(T64, ZSTD(1))
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(quarter)
ORDER BY (quarter, offer, advertiser, product, traffic)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

INSERT INTO session_by_offer (quarter, offer, advertiser, product, traffic, leads, leads_accepted, leads_rejected, leads_duplicate, leads_waiting, sends, sends_accepted, answered, answer_ms)
SELECT
  toStartOfFifteenMinutes(ts) AS quarter,
  offer, advertiser, product, traffic,
  sumIf(toInt64(sign), kind = 'session') AS leads,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('accepted', 'converted', 'closed')) AS leads_accepted,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('rejected', 'unsold')) AS leads_rejected,
  sumIf(toInt64(sign), kind = 'session' AND status = 'duplicate') AS leads_duplicate,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('received', 'held', 'queued', 'ambiguous')) AS leads_waiting,
  sumIf(toInt64(sign), kind = 'send') AS sends,
  sumIf(toInt64(sign), kind = 'send' AND outcome = 'accepted') AS sends_accepted,
  sumIf(toInt64(sign), kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')) AS answered,
  sumIf(sign * toInt64(ms), kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')) AS answer_ms
FROM session_fact
GROUP BY quarter, offer, advertiser, product, traffic;

CREATE MATERIALIZED VIEW IF NOT EXISTS session_by_offer_fill TO session_by_offer AS
SELECT
  toStartOfFifteenMinutes(ts) AS quarter,
  offer, advertiser, product, traffic,
  sumIf(toInt64(sign), kind = 'session') AS leads,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('accepted', 'converted', 'closed')) AS leads_accepted,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('rejected', 'unsold')) AS leads_rejected,
  sumIf(toInt64(sign), kind = 'session' AND status = 'duplicate') AS leads_duplicate,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('received', 'held', 'queued', 'ambiguous')) AS leads_waiting,
  sumIf(toInt64(sign), kind = 'send') AS sends,
  sumIf(toInt64(sign), kind = 'send' AND outcome = 'accepted') AS sends_accepted,
  sumIf(toInt64(sign), kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')) AS answered,
  sumIf(sign * toInt64(ms), kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')) AS answer_ms
FROM session_fact
GROUP BY quarter, offer, advertiser, product, traffic;

-- By affiliate, whose own quarter hours lie together; short granules, as of clicks.
CREATE TABLE IF NOT EXISTS session_by_affiliate (
  quarter         DateTime('UTC') CODEC(Delta, ZSTD(1)),
  affiliate       UInt32 CODEC(T64, ZSTD(1)),
  traffic         LowCardinality(String) CODEC(ZSTD(1)),
  leads           Int64 CODEC(T64, ZSTD(1)),
  leads_accepted  Int64 CODEC(T64, ZSTD(1)),
  leads_rejected  Int64 CODEC(T64, ZSTD(1)),
  leads_duplicate Int64 CODEC(T64, ZSTD(1)),
  leads_waiting   Int64 CODEC(T64, ZSTD(1)),
  sends           Int64 CODEC(T64, ZSTD(1)),
  sends_accepted  Int64 CODEC(T64, ZSTD(1)),
  answered        Int64 CODEC(T64, ZSTD(1)),
  answer_ms       Int64 CODEC(T64, ZSTD(1))
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(quarter)
ORDER BY (affiliate, quarter, traffic)
SETTINGS index_granularity = 512, non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

INSERT INTO session_by_affiliate (quarter, affiliate, traffic, leads, leads_accepted, leads_rejected, leads_duplicate, leads_waiting, sends, sends_accepted, answered, answer_ms)
SELECT
  toStartOfFifteenMinutes(ts) AS quarter,
  affiliate, traffic,
  sumIf(toInt64(sign), kind = 'session') AS leads,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('accepted', 'converted', 'closed')) AS leads_accepted,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('rejected', 'unsold')) AS leads_rejected,
  sumIf(toInt64(sign), kind = 'session' AND status = 'duplicate') AS leads_duplicate,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('received', 'held', 'queued', 'ambiguous')) AS leads_waiting,
  sumIf(toInt64(sign), kind = 'send') AS sends,
  sumIf(toInt64(sign), kind = 'send' AND outcome = 'accepted') AS sends_accepted,
  sumIf(toInt64(sign), kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')) AS answered,
  sumIf(sign * toInt64(ms), kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')) AS answer_ms
FROM session_fact
GROUP BY quarter, affiliate, traffic;

CREATE MATERIALIZED VIEW IF NOT EXISTS session_by_affiliate_fill TO session_by_affiliate AS
SELECT
  toStartOfFifteenMinutes(ts) AS quarter,
  affiliate, traffic,
  sumIf(toInt64(sign), kind = 'session') AS leads,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('accepted', 'converted', 'closed')) AS leads_accepted,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('rejected', 'unsold')) AS leads_rejected,
  sumIf(toInt64(sign), kind = 'session' AND status = 'duplicate') AS leads_duplicate,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('received', 'held', 'queued', 'ambiguous')) AS leads_waiting,
  sumIf(toInt64(sign), kind = 'send') AS sends,
  sumIf(toInt64(sign), kind = 'send' AND outcome = 'accepted') AS sends_accepted,
  sumIf(toInt64(sign), kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')) AS answered,
  sumIf(sign * toInt64(ms), kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')) AS answer_ms
FROM session_fact
GROUP BY quarter, affiliate, traffic;

-- By offer and country.
CREATE TABLE IF NOT EXISTS session_by_place (
  quarter         DateTime('UTC') CODEC(Delta, ZSTD(1)),
  offer           UInt32 CODEC(T64, ZSTD(1)),
  geo             LowCardinality(FixedString(2)) CODEC(ZSTD(1)),
  traffic         LowCardinality(String) CODEC(ZSTD(1)),
  leads           Int64 CODEC(T64, ZSTD(1)),
  leads_accepted  Int64 CODEC(T64, ZSTD(1)),
  leads_rejected  Int64 CODEC(T64, ZSTD(1)),
  leads_duplicate Int64 CODEC(T64, ZSTD(1)),
  leads_waiting   Int64 CODEC(T64, ZSTD(1)),
  sends           Int64 CODEC(T64, ZSTD(1)),
  sends_accepted  Int64 CODEC(T64, ZSTD(1)),
  answered        Int64 CODEC(T64, ZSTD(1)),
  answer_ms       Int64 CODEC(T64, ZSTD(1))
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(quarter)
ORDER BY (quarter, offer, geo, traffic)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

INSERT INTO session_by_place (quarter, offer, geo, traffic, leads, leads_accepted, leads_rejected, leads_duplicate, leads_waiting, sends, sends_accepted, answered, answer_ms)
SELECT
  toStartOfFifteenMinutes(ts) AS quarter,
  offer, geo, traffic,
  sumIf(toInt64(sign), kind = 'session') AS leads,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('accepted', 'converted', 'closed')) AS leads_accepted,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('rejected', 'unsold')) AS leads_rejected,
  sumIf(toInt64(sign), kind = 'session' AND status = 'duplicate') AS leads_duplicate,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('received', 'held', 'queued', 'ambiguous')) AS leads_waiting,
  sumIf(toInt64(sign), kind = 'send') AS sends,
  sumIf(toInt64(sign), kind = 'send' AND outcome = 'accepted') AS sends_accepted,
  sumIf(toInt64(sign), kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')) AS answered,
  sumIf(sign * toInt64(ms), kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')) AS answer_ms
FROM session_fact
GROUP BY quarter, offer, geo, traffic;

CREATE MATERIALIZED VIEW IF NOT EXISTS session_by_place_fill TO session_by_place AS
SELECT
  toStartOfFifteenMinutes(ts) AS quarter,
  offer, geo, traffic,
  sumIf(toInt64(sign), kind = 'session') AS leads,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('accepted', 'converted', 'closed')) AS leads_accepted,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('rejected', 'unsold')) AS leads_rejected,
  sumIf(toInt64(sign), kind = 'session' AND status = 'duplicate') AS leads_duplicate,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('received', 'held', 'queued', 'ambiguous')) AS leads_waiting,
  sumIf(toInt64(sign), kind = 'send') AS sends,
  sumIf(toInt64(sign), kind = 'send' AND outcome = 'accepted') AS sends_accepted,
  sumIf(toInt64(sign), kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')) AS answered,
  sumIf(sign * toInt64(ms), kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')) AS answer_ms
FROM session_fact
GROUP BY quarter, offer, geo, traffic;

-- By device and system.
CREATE TABLE IF NOT EXISTS session_by_device (
  quarter         DateTime('UTC') CODEC(Delta, ZSTD(1)),
  device          LowCardinality(String) CODEC(ZSTD(1)),
  os              LowCardinality(String) CODEC(ZSTD(1)),
  traffic         LowCardinality(String) CODEC(ZSTD(1)),
  leads           Int64 CODEC(T64, ZSTD(1)),
  leads_accepted  Int64 CODEC(T64, ZSTD(1)),
  leads_rejected  Int64 CODEC(T64, ZSTD(1)),
  leads_duplicate Int64 CODEC(T64, ZSTD(1)),
  leads_waiting   Int64 CODEC(T64, ZSTD(1)),
  sends           Int64 CODEC(T64, ZSTD(1)),
  sends_accepted  Int64 CODEC(T64, ZSTD(1)),
  answered        Int64 CODEC(T64, ZSTD(1)),
  answer_ms       Int64 CODEC(T64, ZSTD(1))
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(quarter)
ORDER BY (quarter, device, os, traffic)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

INSERT INTO session_by_device (quarter, device, os, traffic, leads, leads_accepted, leads_rejected, leads_duplicate, leads_waiting, sends, sends_accepted, answered, answer_ms)
SELECT
  toStartOfFifteenMinutes(ts) AS quarter,
  device, os, traffic,
  sumIf(toInt64(sign), kind = 'session') AS leads,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('accepted', 'converted', 'closed')) AS leads_accepted,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('rejected', 'unsold')) AS leads_rejected,
  sumIf(toInt64(sign), kind = 'session' AND status = 'duplicate') AS leads_duplicate,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('received', 'held', 'queued', 'ambiguous')) AS leads_waiting,
  sumIf(toInt64(sign), kind = 'send') AS sends,
  sumIf(toInt64(sign), kind = 'send' AND outcome = 'accepted') AS sends_accepted,
  sumIf(toInt64(sign), kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')) AS answered,
  sumIf(sign * toInt64(ms), kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')) AS answer_ms
FROM session_fact
GROUP BY quarter, device, os, traffic;

CREATE MATERIALIZED VIEW IF NOT EXISTS session_by_device_fill TO session_by_device AS
SELECT
  toStartOfFifteenMinutes(ts) AS quarter,
  device, os, traffic,
  sumIf(toInt64(sign), kind = 'session') AS leads,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('accepted', 'converted', 'closed')) AS leads_accepted,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('rejected', 'unsold')) AS leads_rejected,
  sumIf(toInt64(sign), kind = 'session' AND status = 'duplicate') AS leads_duplicate,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('received', 'held', 'queued', 'ambiguous')) AS leads_waiting,
  sumIf(toInt64(sign), kind = 'send') AS sends,
  sumIf(toInt64(sign), kind = 'send' AND outcome = 'accepted') AS sends_accepted,
  sumIf(toInt64(sign), kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')) AS answered,
  sumIf(sign * toInt64(ms), kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')) AS answer_ms
FROM session_fact
GROUP BY quarter, device, os, traffic;

-- By state of the session.
CREATE TABLE IF NOT EXISTS session_by_status (
  quarter         DateTime('UTC') CODEC(Delta, ZSTD(1)),
  status          LowCardinality(String) CODEC(ZSTD(1)),
  reason          LowCardinality(String) CODEC(ZSTD(1)),
  traffic         LowCardinality(String) CODEC(ZSTD(1)),
  leads           Int64 CODEC(T64, ZSTD(1)),
  leads_accepted  Int64 CODEC(T64, ZSTD(1)),
  leads_rejected  Int64 CODEC(T64, ZSTD(1)),
  leads_duplicate Int64 CODEC(T64, ZSTD(1)),
  leads_waiting   Int64 CODEC(T64, ZSTD(1)),
  sends           Int64 CODEC(T64, ZSTD(1)),
  sends_accepted  Int64 CODEC(T64, ZSTD(1)),
  answered        Int64 CODEC(T64, ZSTD(1)),
  answer_ms       Int64 CODEC(T64, ZSTD(1))
)
ENGINE = SummingMergeTree
PARTITION BY toYYYYMM(quarter)
ORDER BY (quarter, status, reason, traffic)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1;

INSERT INTO session_by_status (quarter, status, reason, traffic, leads, leads_accepted, leads_rejected, leads_duplicate, leads_waiting, sends, sends_accepted, answered, answer_ms)
SELECT
  toStartOfFifteenMinutes(ts) AS quarter,
  status, reason, traffic,
  sumIf(toInt64(sign), kind = 'session') AS leads,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('accepted', 'converted', 'closed')) AS leads_accepted,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('rejected', 'unsold')) AS leads_rejected,
  sumIf(toInt64(sign), kind = 'session' AND status = 'duplicate') AS leads_duplicate,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('received', 'held', 'queued', 'ambiguous')) AS leads_waiting,
  sumIf(toInt64(sign), kind = 'send') AS sends,
  sumIf(toInt64(sign), kind = 'send' AND outcome = 'accepted') AS sends_accepted,
  sumIf(toInt64(sign), kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')) AS answered,
  sumIf(sign * toInt64(ms), kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')) AS answer_ms
FROM session_fact
GROUP BY quarter, status, reason, traffic;

CREATE MATERIALIZED VIEW IF NOT EXISTS session_by_status_fill TO session_by_status AS
SELECT
  toStartOfFifteenMinutes(ts) AS quarter,
  status, reason, traffic,
  sumIf(toInt64(sign), kind = 'session') AS leads,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('accepted', 'converted', 'closed')) AS leads_accepted,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('rejected', 'unsold')) AS leads_rejected,
  sumIf(toInt64(sign), kind = 'session' AND status = 'duplicate') AS leads_duplicate,
  sumIf(toInt64(sign), kind = 'session' AND status IN ('received', 'held', 'queued', 'ambiguous')) AS leads_waiting,
  sumIf(toInt64(sign), kind = 'send') AS sends,
  sumIf(toInt64(sign), kind = 'send' AND outcome = 'accepted') AS sends_accepted,
  sumIf(toInt64(sign), kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')) AS answered,
  sumIf(sign * toInt64(ms), kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')) AS answer_ms
FROM session_fact
GROUP BY quarter, status, reason, traffic;
