-- Conversions of second sales apart from those of leads as they came, as `session_fact` has it.
ALTER TABLE conversion_fact ADD COLUMN IF NOT EXISTS traffic LowCardinality(String) DEFAULT 'warm' CODEC(ZSTD(1));
