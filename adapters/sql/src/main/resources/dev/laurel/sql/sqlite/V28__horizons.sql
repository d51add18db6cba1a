-- Nothing is kept for ever. expires_at: when an id may be used again; 0 for those that are forgotten with the events of
-- their time (meta: forgotten). No index: each sweep goes through all of them once, in the order of their key.
ALTER TABLE ids ADD COLUMN expires_at INTEGER NOT NULL DEFAULT 0;

-- Few lines are caught, so that an index costs little.
CREATE INDEX anomalies_by_time ON anomalies (caught_at);
