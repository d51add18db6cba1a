-- What is left of lines that were pruned: the last of them, and a chain of SHA-256 over all.
CREATE TABLE ledger_checkpoints (
  shard  INTEGER NOT NULL PRIMARY KEY,
  line   INTEGER NOT NULL,
  digest TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
