-- As SQLite's V37, which says what it is for.
CREATE TABLE archive_witnesses (
  node       bigint NOT NULL PRIMARY KEY,
  seen_at    bigint NOT NULL,
  departed   smallint NOT NULL,
  persistent smallint NOT NULL,
  saw        text COLLATE "C" NOT NULL
);
