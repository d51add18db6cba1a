-- The schema that a node has to know at least. An older node works with what later migrations add, unless one of them
-- sets this number to its own: a migration that takes something away, or gives it another meaning, does so.
INSERT INTO meta (name, value) VALUES ('oldest_schema', 52);
