-- What users want to be called, and who is not to be shown. hidden_from: the best rank at which the
-- user is a pseudonym to the public; 0 for none, 1 for all. alias: what the pseudonyms are made of.
-- state: 0 kept; 1 the identity is gone, and the rest is being erased; 2 all of it is.
-- Followers read what has a revision above theirs.
CREATE TABLE user_profiles (
  tenant       INTEGER NOT NULL,
  user_number  INTEGER NOT NULL,
  display_name TEXT,
  hidden_from  INTEGER NOT NULL,
  alias        INTEGER NOT NULL,
  state        INTEGER NOT NULL,
  changed_by   INTEGER NOT NULL,
  changed_at   INTEGER NOT NULL,
  revision     INTEGER NOT NULL,
  PRIMARY KEY (tenant, user_number)
) STRICT, WITHOUT ROWID;

CREATE INDEX user_profiles_by_revision ON user_profiles (revision);
