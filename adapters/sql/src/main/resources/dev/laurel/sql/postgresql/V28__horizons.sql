-- See SQLite's migration of this number.
ALTER TABLE ids ADD COLUMN expires_at bigint NOT NULL DEFAULT 0;

CREATE INDEX anomalies_by_time ON anomalies (caught_at);
