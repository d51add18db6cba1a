-- Every index is paid for on every write (measured: entries + ledger 71k rows/s, with one index
-- over random ids 29k), so a table has its key and nothing else, and keys are small numbers that
-- grow: neighbours in time are neighbours on disk. Hot tables are WITHOUT ROWID, one tree each.
-- STRICT, because SQLite would otherwise store a text where a number belongs.

-- epoch (random, new after a restore), revision (of the whole configuration), shards (how many).
CREATE TABLE meta (
  name  TEXT    NOT NULL PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tenants (
  id         INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  tenant_id  TEXT    NOT NULL UNIQUE,
  name       TEXT    NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE api_keys (
  id         INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  tenant     INTEGER NOT NULL REFERENCES tenants (id),
  name       TEXT    NOT NULL,
  scopes     TEXT    NOT NULL,
  hint       TEXT    NOT NULL,
  hash       TEXT    NOT NULL UNIQUE,
  created_by TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;

-- The number of the last line of each shard's ledger.
CREATE TABLE shards (
  shard INTEGER NOT NULL PRIMARY KEY,
  line  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What never changes about a board, and which version of it is in force. AUTOINCREMENT: a number
-- is never used again, or the entries of a removed board would turn up on a new one.
CREATE TABLE boards (
  id             INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  tenant         INTEGER NOT NULL REFERENCES tenants (id),
  leaderboard_id TEXT    NOT NULL,
  uuid           TEXT    NOT NULL,
  shard          INTEGER NOT NULL REFERENCES shards (shard),
  revision       INTEGER NOT NULL,
  version        INTEGER NOT NULL,
  created_by     TEXT    NOT NULL,
  created_at     INTEGER NOT NULL,
  UNIQUE (tenant, uuid)
) STRICT;

-- What may be edited, once for every version there ever was.
CREATE TABLE board_versions (
  board       INTEGER NOT NULL REFERENCES boards (id),
  version     INTEGER NOT NULL,
  pod_id      TEXT,
  name        TEXT    NOT NULL,
  rank_order  TEXT    NOT NULL,
  ties        TEXT    NOT NULL,
  update_mode TEXT    NOT NULL,
  decimals    INTEGER NOT NULL,
  min_score   INTEGER NOT NULL,
  max_score   INTEGER NOT NULL,
  visibility  TEXT    NOT NULL,
  status      TEXT    NOT NULL,
  starts_at   INTEGER NOT NULL,
  ends_at     INTEGER NOT NULL,
  metadata    TEXT    NOT NULL,
  updated_at  INTEGER NOT NULL,
  PRIMARY KEY (board, version)
) STRICT, WITHOUT ROWID;

-- line: the last line of the ledger that touched the season.
CREATE TABLE seasons (
  id            INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  board         INTEGER NOT NULL REFERENCES boards (id),
  window_number INTEGER NOT NULL,
  label         TEXT    NOT NULL,
  starts_at     INTEGER NOT NULL,
  ends_at       INTEGER NOT NULL,
  grace         INTEGER NOT NULL,
  status        TEXT    NOT NULL,
  line          INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Costs a commit nothing: moving a season changes its line, which is not in the index.
CREATE INDEX seasons_by_board ON seasons (board);

-- No table below has a foreign key: each would look its parent up once a row, and the one
-- transaction that writes them has just read the parents under the shard's lock.

-- No index over id: a million users in batches of 1,000 were written at 508k rows/s as it is, at
-- 83k with a table of 64-bit hashes beside it, at 64k with an index over id, and falling as they
-- grow out of the cache. Store.assignUsers says how it does without.
CREATE TABLE users (
  tenant INTEGER NOT NULL,
  number INTEGER NOT NULL,
  id     TEXT    NOT NULL,
  PRIMARY KEY (tenant, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE entries (
  season      INTEGER NOT NULL,
  user_number INTEGER NOT NULL,
  score       INTEGER NOT NULL,
  reached     INTEGER NOT NULL,
  seen        INTEGER NOT NULL,
  line        INTEGER NOT NULL,
  last_line   INTEGER NOT NULL,
  deleted     INTEGER NOT NULL,
  metadata    TEXT,
  PRIMARY KEY (season, user_number)
) STRICT, WITHOUT ROWID;

-- kind and mode: see Codes.
CREATE TABLE ledger (
  shard       INTEGER NOT NULL,
  line        INTEGER NOT NULL,
  board       INTEGER NOT NULL,
  user_number INTEGER NOT NULL,
  kind        INTEGER NOT NULL,
  mode        INTEGER NOT NULL,
  value       INTEGER NOT NULL,
  event_at    INTEGER NOT NULL,
  windows     INTEGER NOT NULL,
  version     INTEGER NOT NULL,
  previous    INTEGER NOT NULL,
  stamp       INTEGER NOT NULL,
  caller      INTEGER NOT NULL,
  event_id    TEXT,
  metadata    TEXT,
  PRIMARY KEY (shard, line)
) STRICT, WITHOUT ROWID;

CREATE TABLE ids (
  board      INTEGER NOT NULL,
  id_key     BLOB    NOT NULL,
  payload    BLOB    NOT NULL,
  line       INTEGER NOT NULL,
  effective  INTEGER NOT NULL,
  score      INTEGER NOT NULL,
  reached    INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  answer     BLOB,
  PRIMARY KEY (board, id_key)
) STRICT, WITHOUT ROWID;
