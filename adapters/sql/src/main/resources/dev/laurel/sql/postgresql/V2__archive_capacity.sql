-- As SQLite's V5 and V6, which say what they are for.
ALTER TABLE seasons
  ADD COLUMN since    bigint NOT NULL DEFAULT 0,
  ADD COLUMN capacity integer NOT NULL DEFAULT 0;
UPDATE seasons SET since = ends_at + grace WHERE status = 'FINAL';
CREATE INDEX seasons_by_status ON seasons (status, since);

CREATE TABLE season_archives (
  season      bigint NOT NULL PRIMARY KEY,
  archived_at bigint NOT NULL,
  users       bigint NOT NULL,
  bytes       bigint NOT NULL,
  digest      text COLLATE "C" NOT NULL
);
