-- What processes see of the archive: each writes a proof there, and looks for those of the others. Nothing is purged
-- from a store that nodes share before all of them see the proofs of all. "saw" has their numbers, in hexadecimal digits.
CREATE TABLE archive_witnesses (
  node       INTEGER NOT NULL PRIMARY KEY,
  seen_at    INTEGER NOT NULL,
  departed   INTEGER NOT NULL,
  persistent INTEGER NOT NULL,
  saw        TEXT NOT NULL
) STRICT;
