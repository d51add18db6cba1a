-- Where shards and seasons stand changes with every commit. As a row that is updated it leaves a dead version each time, and
-- while somebody holds a snapshot (pg_dump) every commit has to walk past all of them. So each commit adds a row now and
-- deletes the one before by its place: the newest row of a key is the last one of the index, whatever lies before it.

-- What commits of a shard lock, and never write.
CREATE TABLE shard_locks (
  shard integer NOT NULL PRIMARY KEY
);
INSERT INTO shard_locks (shard) SELECT shard FROM shards;
ALTER TABLE boards DROP CONSTRAINT boards_shard_fkey;
ALTER TABLE boards ADD CONSTRAINT boards_shard_fkey FOREIGN KEY (shard) REFERENCES shard_locks (shard);

ALTER TABLE shards DROP CONSTRAINT shards_pkey;
ALTER TABLE shards ADD PRIMARY KEY (shard, line);
ALTER TABLE shards RESET (fillfactor);

CREATE TABLE season_lines (
  season bigint NOT NULL,
  line   bigint NOT NULL,
  PRIMARY KEY (season, line)
);
INSERT INTO season_lines (season, line) SELECT id, line FROM seasons WHERE line > 0;
-- Nodes of before, which would write it, fail loudly.
ALTER TABLE seasons DROP COLUMN line;
