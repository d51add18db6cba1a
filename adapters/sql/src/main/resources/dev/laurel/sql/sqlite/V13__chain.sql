-- The ledger's chain (LedgerChain says how): its head with the shard, checkpoints about every 10,000
-- lines, the first of which is where it begins. Digests of lines that were pruned before had no key,
-- and prove nothing.
DROP TABLE ledger_checkpoints;

CREATE TABLE ledger_checkpoints (
  shard  INTEGER NOT NULL,
  line   INTEGER NOT NULL,
  digest TEXT    NOT NULL,
  mac    TEXT    NOT NULL,
  PRIMARY KEY (shard, line)
) STRICT, WITHOUT ROWID;

ALTER TABLE shards ADD COLUMN chained_from INTEGER NOT NULL DEFAULT 0;
ALTER TABLE shards ADD COLUMN head TEXT;
ALTER TABLE shards ADD COLUMN mac TEXT;

-- client: a keyed hash of address and user agent; erased: the digest of the personal part, when that
-- is gone.
ALTER TABLE ledger ADD COLUMN client TEXT;
ALTER TABLE ledger ADD COLUMN erased TEXT;
