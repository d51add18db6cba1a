-- A board has windows, each cycle of a window is a season, and events may be scored by expression.

-- strategy: see VersionTables. NULL for a board that is given scores.
ALTER TABLE board_versions ADD COLUMN strategy TEXT;
ALTER TABLE board_versions ADD COLUMN topic TEXT;
ALTER TABLE board_versions ADD COLUMN write_qps INTEGER NOT NULL DEFAULT 0;

CREATE TABLE board_features (
  board     INTEGER NOT NULL,
  version   INTEGER NOT NULL,
  number    INTEGER NOT NULL,
  name      TEXT    NOT NULL,
  data_type TEXT    NOT NULL,
  required  INTEGER NOT NULL,
  PRIMARY KEY (board, version, number)
) STRICT, WITHOUT ROWID;

-- place: of the window in the list; number: its bit in ledger lines, which it keeps for ever.
CREATE TABLE board_windows (
  board     INTEGER NOT NULL,
  version   INTEGER NOT NULL,
  place     INTEGER NOT NULL,
  number    INTEGER NOT NULL,
  name      TEXT    NOT NULL,
  schedule  TEXT    NOT NULL,
  zone      TEXT    NOT NULL,
  until     INTEGER NOT NULL,
  grace     INTEGER NOT NULL,
  capacity  INTEGER NOT NULL,
  PRIMARY KEY (board, version, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE board_prizes (
  board         INTEGER NOT NULL,
  version       INTEGER NOT NULL,
  window_number INTEGER NOT NULL,
  number        INTEGER NOT NULL,
  name          TEXT    NOT NULL,
  from_rank     INTEGER NOT NULL,
  to_rank       INTEGER NOT NULL,
  percent       INTEGER NOT NULL,
  reward        TEXT,
  PRIMARY KEY (board, version, window_number, number)
) STRICT, WITHOUT ROWID;

INSERT INTO board_windows (board, version, place, number, name, schedule, zone, until, grace, capacity)
  SELECT board, version, 0, 0, 'all-time', 'all-time', 'UTC', 9223372036854775807, 300000, 0
  FROM board_versions;

-- listed: something may still happen to the season, or it is the newest of its window. A board has
-- few of those, and may have had thousands of others.
ALTER TABLE seasons ADD COLUMN listed INTEGER NOT NULL DEFAULT 1;
DROP INDEX seasons_by_board;
CREATE INDEX seasons_listed ON seasons (board) WHERE listed = 1;

-- Each cycle of a window exists once, whoever makes it.
CREATE UNIQUE INDEX seasons_by_start ON seasons (board, window_number, starts_at);

-- By position: written, read and archived in order. A user's row is found by searching for the
-- place of the entry, 20 look-ups in a million, which spares an index.
CREATE TABLE final_ranks (
  season      INTEGER NOT NULL,
  position    INTEGER NOT NULL,
  user_number INTEGER NOT NULL,
  rank        INTEGER NOT NULL,
  score       INTEGER NOT NULL,
  reached     INTEGER NOT NULL,
  prize       INTEGER NOT NULL,
  PRIMARY KEY (season, position)
) STRICT, WITHOUT ROWID;

-- The tiers that were in force when the season was frozen.
CREATE TABLE season_prizes (
  season    INTEGER NOT NULL,
  number    INTEGER NOT NULL,
  name      TEXT    NOT NULL,
  from_rank INTEGER NOT NULL,
  to_rank   INTEGER NOT NULL,
  percent   INTEGER NOT NULL,
  reward    TEXT,
  PRIMARY KEY (season, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE topics (
  topic_name TEXT    NOT NULL PRIMARY KEY,
  tenant     INTEGER NOT NULL REFERENCES tenants (id),
  partitions INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
