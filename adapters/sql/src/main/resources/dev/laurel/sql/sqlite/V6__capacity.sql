-- How many places a season has, 0 for as many as it has entries. Its own, like the grace period: the
-- window may be edited or taken away while the season's ranks are still to be written.
ALTER TABLE seasons ADD COLUMN capacity INTEGER NOT NULL DEFAULT 0;
