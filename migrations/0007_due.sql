-- What the monitor and the alarm ask each time they look reads what is due, and not all that ever was.

-- 1: it comes again, and its next time is not in the ledger yet.
ALTER TABLE proactive_items ADD COLUMN recurs INTEGER NOT NULL DEFAULT 0;
UPDATE proactive_items SET recurs = 1
WHERE instr(topic, ' @ every ') > 0
  AND NOT EXISTS (
    SELECT 1 FROM proactive_items AS later
    WHERE later.user_id = proactive_items.user_id
      AND later.detector = proactive_items.detector
      AND later.topic = proactive_items.topic
      AND later.due_at > proactive_items.due_at
  );
CREATE INDEX proactive_recurring ON proactive_items (due_at) WHERE recurs = 1;
CREATE INDEX proactive_untold ON proactive_items (coalesce(due_at, created_at))
  WHERE announced = 0 AND (state = 'open' OR state = 'snoozed');
CREATE INDEX proactive_expiring ON proactive_items (expires_at)
  WHERE state = 'open' OR state = 'snoozed' OR state = 'delivered';
CREATE INDEX proactive_by_change ON proactive_items (updated_at);
CREATE INDEX proactive_delivered ON proactive_items (user_id, delivered_at);
CREATE INDEX proactive_announced ON proactive_items (user_id, announced);
CREATE INDEX recall_log_undecided ON recall_log (id) WHERE outcome IS NULL AND ids <> '[]';

-- How many texts each user has, and how many of each model's vectors: counted as they come and go, since to
-- count a million rows takes longer than a tick may. `embedder`: '' for none yet. `gets_vector`: 0 for what
-- never gets one, what an assistant or a tool says.
CREATE TABLE text_counts (
  user_id TEXT NOT NULL,
  embedder TEXT NOT NULL,
  gets_vector INTEGER NOT NULL,
  texts INTEGER NOT NULL,
  PRIMARY KEY (user_id, embedder, gets_vector)
) STRICT, WITHOUT ROWID;
INSERT INTO text_counts
SELECT user_id, coalesce(embedder, ''), gets_vector, count(*)
FROM (
  SELECT user_id, embedder, role = 'user' AS gets_vector FROM resources
  UNION ALL
  SELECT user_id, embedder, 1 FROM items
)
GROUP BY 1, 2, 3;

CREATE TRIGGER turn_comes AFTER INSERT ON resources
BEGIN
  INSERT INTO text_counts VALUES (new.user_id, coalesce(new.embedder, ''), new.role = 'user', 1)
  ON CONFLICT DO UPDATE SET texts = texts + 1;
END;
CREATE TRIGGER turn_goes AFTER DELETE ON resources
BEGIN
  UPDATE text_counts SET texts = texts - 1
  WHERE user_id = old.user_id AND embedder = coalesce(old.embedder, '') AND gets_vector = (old.role = 'user');
END;
CREATE TRIGGER turn_changes_model AFTER UPDATE OF embedder ON resources WHEN new.embedder IS NOT old.embedder
BEGIN
  UPDATE text_counts SET texts = texts - 1
  WHERE user_id = old.user_id AND embedder = coalesce(old.embedder, '') AND gets_vector = (old.role = 'user');
  INSERT INTO text_counts VALUES (new.user_id, coalesce(new.embedder, ''), new.role = 'user', 1)
  ON CONFLICT DO UPDATE SET texts = texts + 1;
END;
CREATE TRIGGER fact_comes AFTER INSERT ON items
BEGIN
  INSERT INTO text_counts VALUES (new.user_id, coalesce(new.embedder, ''), 1, 1)
  ON CONFLICT DO UPDATE SET texts = texts + 1;
END;
CREATE TRIGGER fact_goes AFTER DELETE ON items
BEGIN
  UPDATE text_counts SET texts = texts - 1
  WHERE user_id = old.user_id AND embedder = coalesce(old.embedder, '') AND gets_vector = 1;
END;
CREATE TRIGGER fact_changes_model AFTER UPDATE OF embedder ON items WHEN new.embedder IS NOT old.embedder
BEGIN
  UPDATE text_counts SET texts = texts - 1
  WHERE user_id = old.user_id AND embedder = coalesce(old.embedder, '') AND gets_vector = 1;
  INSERT INTO text_counts VALUES (new.user_id, coalesce(new.embedder, ''), 1, 1)
  ON CONFLICT DO UPDATE SET texts = texts + 1;
END;
