-- What became of a prediction, and where it was told. `decided_at`: since when it is known whether it was right;
-- NULL where nothing can be learnt from it.
ALTER TABLE proactive_items ADD COLUMN told_in TEXT; -- the session that it was delivered in
ALTER TABLE proactive_items ADD COLUMN decided_at INTEGER;
UPDATE proactive_items SET decided_at = updated_at WHERE state = 'used';
CREATE INDEX proactive_by_end ON proactive_items (user_id, expires_at);
CREATE INDEX proactive_decided ON proactive_items (user_id, decided_at) WHERE decided_at IS NOT NULL;
