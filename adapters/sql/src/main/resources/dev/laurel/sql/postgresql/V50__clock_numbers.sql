-- As SQLite's V50, which says what it is for.
ALTER TABLE clock_views ADD COLUMN number bigint NOT NULL DEFAULT 0;
