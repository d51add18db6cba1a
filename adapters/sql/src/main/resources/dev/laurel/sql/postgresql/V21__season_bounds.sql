-- The bounds that a season had while lines up to one were written, where they were moved since: a
-- line that counts in a season stays in it, wherever its end is moved.
CREATE TABLE season_bounds (
  board         bigint  NOT NULL,
  window_number integer NOT NULL,
  season        bigint  NOT NULL,
  until_line    bigint  NOT NULL,
  starts_at     bigint  NOT NULL,
  ends_at       bigint  NOT NULL,
  grace         bigint  NOT NULL,
  PRIMARY KEY (board, window_number, season, until_line)
);
