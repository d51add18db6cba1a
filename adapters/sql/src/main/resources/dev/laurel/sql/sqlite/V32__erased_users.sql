-- draft: another number whenever what is written of a season's final ranks is outdated. Whoever
-- writes them compares it in each chunk, so one list never holds ranks of two closings.
-- draft_names: the last erasure of the tenant when the list was begun; equals go by their ids.
ALTER TABLE seasons ADD COLUMN draft INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seasons ADD COLUMN draft_names INTEGER NOT NULL DEFAULT 0;

-- Who was erased, by the revision of it. former: a digest of the id of before, by which rows of an
-- older archive are known to be this user's; null for an erasure before this table was there.
CREATE TABLE erased_users (
  tenant      INTEGER NOT NULL,
  user_number INTEGER NOT NULL,
  former      BLOB,
  revision    INTEGER NOT NULL,
  PRIMARY KEY (tenant, user_number)
) STRICT, WITHOUT ROWID;

CREATE INDEX erased_users_by_revision ON erased_users (revision);

INSERT INTO erased_users (tenant, user_number, former, revision)
  SELECT tenant, user_number, NULL, revision FROM user_profiles WHERE state <> 0;

-- revision: where the store was when the archive's first row was read. Who was erased later is in
-- the archive under the id of before.
ALTER TABLE season_archives ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
