-- As SQLite's V32, which says what it is for.
ALTER TABLE seasons ADD COLUMN draft bigint NOT NULL DEFAULT 0;
ALTER TABLE seasons ADD COLUMN draft_names bigint NOT NULL DEFAULT 0;

CREATE TABLE erased_users (
  tenant      bigint NOT NULL,
  user_number integer NOT NULL,
  former      bytea,
  revision    bigint NOT NULL,
  PRIMARY KEY (tenant, user_number)
);

CREATE INDEX erased_users_by_revision ON erased_users (revision);

INSERT INTO erased_users (tenant, user_number, former, revision)
  SELECT tenant, user_number, NULL, revision FROM user_profiles WHERE state <> 0;

ALTER TABLE season_archives ADD COLUMN revision bigint NOT NULL DEFAULT 0;
