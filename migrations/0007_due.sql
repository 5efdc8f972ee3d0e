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
