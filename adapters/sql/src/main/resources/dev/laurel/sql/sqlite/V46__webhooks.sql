-- A webhook can be paused, its secret changed with an overlap, and its deliveries read after it was removed.
-- old_secret: signs as well until old_until. removed_at: it hears of nothing any more; the row goes with the last of its deliveries.
ALTER TABLE webhooks ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE webhooks ADD COLUMN old_secret TEXT;
ALTER TABLE webhooks ADD COLUMN old_until INTEGER NOT NULL DEFAULT 0;
ALTER TABLE webhooks ADD COLUMN removed_at INTEGER;

-- event_id: the same for all webhooks that hear of one event.
ALTER TABLE deliveries ADD COLUMN event_id TEXT NOT NULL DEFAULT '';
UPDATE deliveries SET event_id = id;

-- What is due is looked for webhook by webhook, so that nobody stands behind another one's backlog.
CREATE INDEX deliveries_by_due ON deliveries (webhook, state, next_at);
