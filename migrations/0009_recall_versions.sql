-- A number for each user that grows with all that a recall of theirs may depend on, in the transaction that changes it:
-- what was recalled ahead of time counts while the number stands. Two statements and no upsert, since a trigger takes over
-- the conflict clause of the statement that fires it.
CREATE TABLE recall_versions (
  user_id TEXT PRIMARY KEY,
  version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE VIEW recall_version_bump AS SELECT user_id FROM recall_versions;
CREATE TRIGGER recall_version_grows INSTEAD OF INSERT ON recall_version_bump
BEGIN
  UPDATE recall_versions SET version = version + 1 WHERE user_id = NEW.user_id;
  INSERT INTO recall_versions
  SELECT NEW.user_id, 1 WHERE NOT EXISTS (SELECT 1 FROM recall_versions WHERE user_id = NEW.user_id);
END;

CREATE TRIGGER recall_version_turn_comes AFTER INSERT ON resources
BEGIN
  INSERT INTO recall_version_bump VALUES (NEW.user_id);
END;
CREATE TRIGGER recall_version_turn_changes AFTER UPDATE ON resources
BEGIN
  INSERT INTO recall_version_bump VALUES (NEW.user_id);
END;
CREATE TRIGGER recall_version_turn_goes AFTER DELETE ON resources
BEGIN
  INSERT INTO recall_version_bump VALUES (OLD.user_id);
END;
CREATE TRIGGER recall_version_fact_comes AFTER INSERT ON items
BEGIN
  INSERT INTO recall_version_bump VALUES (NEW.user_id);
END;
CREATE TRIGGER recall_version_fact_changes AFTER UPDATE ON items
BEGIN
  INSERT INTO recall_version_bump VALUES (NEW.user_id);
END;
CREATE TRIGGER recall_version_fact_goes AFTER DELETE ON items
BEGIN
  INSERT INTO recall_version_bump VALUES (OLD.user_id);
END;
-- A fact that is gone takes its links and sources along: its own going was counted.
CREATE TRIGGER recall_version_link_comes AFTER INSERT ON item_links
BEGIN
  INSERT INTO recall_version_bump SELECT user_id FROM items WHERE id = NEW.from_id;
END;
CREATE TRIGGER recall_version_link_changes AFTER UPDATE ON item_links
BEGIN
  INSERT INTO recall_version_bump SELECT user_id FROM items WHERE id = NEW.from_id;
END;
CREATE TRIGGER recall_version_link_goes AFTER DELETE ON item_links
BEGIN
  INSERT INTO recall_version_bump SELECT user_id FROM items WHERE id IN (OLD.from_id, OLD.to_id);
END;
CREATE TRIGGER recall_version_source_comes AFTER INSERT ON item_sources
BEGIN
  INSERT INTO recall_version_bump SELECT user_id FROM items WHERE id = NEW.item_id;
END;
CREATE TRIGGER recall_version_source_changes AFTER UPDATE ON item_sources
BEGIN
  INSERT INTO recall_version_bump SELECT user_id FROM items WHERE id = NEW.item_id;
END;
CREATE TRIGGER recall_version_source_goes AFTER DELETE ON item_sources
BEGIN
  INSERT INTO recall_version_bump SELECT user_id FROM items WHERE id = OLD.item_id;
END;
CREATE TRIGGER recall_version_filing_comes AFTER INSERT ON item_categories
BEGIN
  INSERT INTO recall_version_bump SELECT user_id FROM items WHERE id = NEW.item_id;
END;
CREATE TRIGGER recall_version_filing_goes AFTER DELETE ON item_categories
BEGIN
  INSERT INTO recall_version_bump SELECT user_id FROM items WHERE id = OLD.item_id;
END;
CREATE TRIGGER recall_version_category_is_renamed AFTER UPDATE OF name ON categories
BEGIN
  INSERT INTO recall_version_bump VALUES (NEW.user_id);
END;
