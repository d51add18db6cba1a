-- As SQLite's V14, which says what it is for.
CREATE TABLE user_profiles (
  tenant       bigint NOT NULL,
  user_number  integer NOT NULL,
  display_name text COLLATE "C",
  hidden_from  bigint NOT NULL,
  alias        bigint NOT NULL,
  state        integer NOT NULL,
  changed_by   bigint NOT NULL,
  changed_at   bigint NOT NULL,
  revision     bigint NOT NULL,
  PRIMARY KEY (tenant, user_number)
);

CREATE INDEX user_profiles_by_revision ON user_profiles (revision);
