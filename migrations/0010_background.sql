-- What is brought in from elsewhere waits in the background: the turns of today come before it, and neither
-- wait for it nor are refused because of it.
ALTER TABLE capture_queue ADD COLUMN background INTEGER NOT NULL DEFAULT 0;
CREATE INDEX capture_queue_next ON capture_queue (background, due_at, resource_key) WHERE state = 'queued';
DROP INDEX capture_queue_weight;
CREATE INDEX capture_queue_weight ON capture_queue (background, created_at, bytes, state)
  WHERE state = 'queued' OR state = 'leased';
