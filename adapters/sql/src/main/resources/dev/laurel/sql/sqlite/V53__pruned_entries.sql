-- What lines that were pruned had made of entries: where a revert of a later line begins to fold. Without metadata.
CREATE TABLE entry_bases (
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

-- When a shard's lines were there: at this time, all up to this one. A line has only the time of its event.
CREATE TABLE ledger_marks (
  shard INTEGER NOT NULL,
  line  INTEGER NOT NULL,
  at    INTEGER NOT NULL,
  PRIMARY KEY (shard, line)
) STRICT, WITHOUT ROWID;

-- Reverts and releases by the line that they are about. Noted by the job that prunes; how far is in kafka_offsets, board -3.
CREATE TABLE ledger_corrections (
  shard   INTEGER NOT NULL,
  target  INTEGER NOT NULL,
  line    INTEGER NOT NULL,
  kind    INTEGER NOT NULL,
  windows INTEGER NOT NULL,
  PRIMARY KEY (shard, target, line)
) STRICT, WITHOUT ROWID;
