-- As SQLite's V8, which says what it is for.
CREATE TABLE ledger_checkpoints (
  shard  integer NOT NULL PRIMARY KEY,
  line   bigint NOT NULL,
  digest text COLLATE "C" NOT NULL
);
