-- settled: the season's end is for good. What was over before this column was there stays over.
ALTER TABLE seasons ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;
UPDATE seasons SET settled = 1 WHERE status NOT IN ('SCHEDULED', 'ACTIVE', 'CLOSING');

-- Labels are unique in a board; asked for whenever a season is made.
CREATE INDEX seasons_by_label ON seasons (board, label);

-- Tiers are kept when a season ends. Those that had ended and were not frozen yet get them now.
INSERT INTO season_prizes (season, number, name, from_rank, to_rank, percent, reward)
  SELECT s.id, p.number, p.name, p.from_rank, p.to_rank, p.percent, p.reward
  FROM seasons s
  JOIN boards b ON b.id = s.board
  JOIN board_prizes p
    ON p.board = b.id AND p.version = b.version AND p.window_number = s.window_number
  WHERE s.status = 'COMPLETED';
