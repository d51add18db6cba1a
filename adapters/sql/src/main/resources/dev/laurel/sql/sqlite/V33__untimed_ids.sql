-- An id of an event without a time of its own is never forgotten: nobody could tell that a retry is
-- old (expires_at is the largest number). Of ids of before nobody knows whether their event had a time;
-- so those that were stored up to here stay, but for kept answers. An hour, as clocks differ.
INSERT INTO meta (name, value)
  SELECT 'ids_unknown_until', (CAST(strftime('%s', 'now') AS INTEGER) + 3600) * 1000
  WHERE EXISTS (SELECT 1 FROM ids);
