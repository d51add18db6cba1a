-- The bounds that a season had while lines up to one were written, where they were moved since: a
-- line that counts in a season stays in it, wherever its end is moved.
CREATE TABLE season_bounds (
  board         INTEGER NOT NULL,
  window_number INTEGER NOT NULL,
  season        INTEGER NOT NULL,
  until_line    INTEGER NOT NULL,
  starts_at     INTEGER NOT NULL,
  ends_at       INTEGER NOT NULL,
  grace         INTEGER NOT NULL,
  PRIMARY KEY (board, window_number, season, until_line)
) STRICT, WITHOUT ROWID;
