-- As SQLite's V53, which says what they are for.
CREATE TABLE entry_bases (
  season      bigint NOT NULL,
  user_number integer NOT NULL,
  score       bigint NOT NULL,
  reached     bigint NOT NULL,
  seen        bigint NOT NULL,
  line        bigint NOT NULL,
  last_line   bigint NOT NULL,
  deleted     smallint NOT NULL,
  metadata    text COLLATE "C",
  PRIMARY KEY (season, user_number)
);

CREATE TABLE ledger_marks (
  shard integer NOT NULL,
  line  bigint NOT NULL,
  at    bigint NOT NULL,
  PRIMARY KEY (shard, line)
);

CREATE TABLE ledger_corrections (
  shard   integer NOT NULL,
  target  bigint NOT NULL,
  line    bigint NOT NULL,
  kind    smallint NOT NULL,
  windows bigint NOT NULL,
  PRIMARY KEY (shard, target, line)
);

-- A node of before would fold a revert without the bases.
UPDATE meta SET value = 53 WHERE name = 'oldest_schema';
