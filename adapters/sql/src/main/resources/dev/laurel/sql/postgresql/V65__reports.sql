-- What somebody has reported of a line: a JSON object. It goes when the user is erased.
ALTER TABLE anomalies ADD COLUMN report text COLLATE "C";
CREATE INDEX anomalies_reported ON anomalies (board, user_number) WHERE report IS NOT NULL;
