-- As SQLite's V13, which says what it is for.
DROP TABLE ledger_checkpoints;

CREATE TABLE ledger_checkpoints (
  shard  integer NOT NULL,
  line   bigint NOT NULL,
  digest text COLLATE "C" NOT NULL,
  mac    text COLLATE "C" NOT NULL,
  PRIMARY KEY (shard, line)
);

ALTER TABLE shards ADD COLUMN chained_from bigint NOT NULL DEFAULT 0;
ALTER TABLE shards ADD COLUMN head text COLLATE "C";
ALTER TABLE shards ADD COLUMN mac text COLLATE "C";

ALTER TABLE ledger ADD COLUMN client text COLLATE "C";
ALTER TABLE ledger ADD COLUMN erased text COLLATE "C";
