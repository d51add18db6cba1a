-- Seasons that are over go to the archive, and later from these tables.

-- since: when the season got its present status.
ALTER TABLE seasons ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
UPDATE seasons SET since = ends_at + grace WHERE status = 'FINAL';

-- What is due. Costs a commit nothing: moving a season changes its line, which is not in the index.
CREATE INDEX seasons_by_status ON seasons (status, since);

-- digest: SHA-256 of the manifest, which has those of all other objects.
CREATE TABLE season_archives (
  season      INTEGER NOT NULL PRIMARY KEY,
  archived_at INTEGER NOT NULL,
  users       INTEGER NOT NULL,
  bytes       INTEGER NOT NULL,
  digest      TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
