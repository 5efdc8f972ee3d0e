-- What a model answered, kept before it is read: a crash in between costs no second call. `known` are the ids
-- of the facts it was shown, in the order of their handles. Goes with the first of its turns that goes.
CREATE TABLE extractions (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  model TEXT NOT NULL,
  answer TEXT NOT NULL,
  known TEXT NOT NULL CHECK (json_valid(known)),
  state TEXT NOT NULL DEFAULT 'answered' CHECK (state IN ('answered', 'used', 'unreadable')),
  reason TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX extractions_by_time ON extractions (created_at);

CREATE TABLE extraction_turns (
  extraction_id TEXT NOT NULL REFERENCES extractions (id) ON DELETE CASCADE,
  resource_id TEXT NOT NULL REFERENCES resources (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  PRIMARY KEY (extraction_id, resource_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX extraction_turns_back ON extraction_turns (resource_id);
CREATE TRIGGER extraction_goes_with_its_turns AFTER DELETE ON extraction_turns
BEGIN
  DELETE FROM extractions WHERE id = old.extraction_id;
END;

CREATE INDEX item_links_maybe ON item_links (created_at) WHERE relation = 'maybe';

-- Pairs of facts that a model was asked about: it is never asked twice.
CREATE TABLE judged_pairs (
  newer_id TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE,
  older_id TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE,
  verdict TEXT NOT NULL,
  model TEXT NOT NULL,
  judged_at INTEGER NOT NULL,
  PRIMARY KEY (newer_id, older_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX judged_pairs_back ON judged_pairs (older_id);

-- With how many others, at most, a turn is worked on; NULL: as many as the extractor takes.
ALTER TABLE capture_queue ADD COLUMN batch_limit INTEGER;
-- 1: it has its vector, or never gets one, and waits for its facts alone.
ALTER TABLE capture_queue ADD COLUMN embedded INTEGER NOT NULL DEFAULT 0;
CREATE INDEX capture_queue_unembedded ON capture_queue (resource_key) WHERE state = 'queued' AND embedded = 0;
