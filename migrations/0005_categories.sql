-- What a summary says is kept by the sentence, each with the facts it rests on. Until now only a person filed
-- facts, so what is filed was chosen.
ALTER TABLE categories DROP COLUMN summary;
ALTER TABLE categories ADD COLUMN folded TEXT NOT NULL DEFAULT ''; -- the name, however it is written
ALTER TABLE categories ADD COLUMN everyday TEXT; -- which of the shipped ones it is
ALTER TABLE categories ADD COLUMN made_by TEXT NOT NULL DEFAULT 'person'
  CHECK (made_by IN ('person', 'everyday', 'model', 'facts'));
ALTER TABLE categories ADD COLUMN written_at INTEGER;
UPDATE categories SET folded = lower(name);
CREATE INDEX categories_by_fold ON categories (user_id, folded);
CREATE UNIQUE INDEX categories_everyday ON categories (user_id, everyday) WHERE everyday IS NOT NULL;
CREATE INDEX categories_dirty ON categories (user_id) WHERE dirty;

-- waiting: not looked at yet, or its vector is missing; loose: fits nothing yet; lone: and shares no word with
-- others either; filed: by itself; chosen: by a person, and never filed again by itself.
CREATE TABLE item_filings (
  item_id TEXT PRIMARY KEY REFERENCES items (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'loose', 'lone', 'filed', 'chosen'))
) STRICT, WITHOUT ROWID;
CREATE INDEX item_filings_open ON item_filings (state, user_id) WHERE state IN ('waiting', 'loose', 'lone');
INSERT INTO item_filings
SELECT id, user_id, iif(EXISTS (SELECT 1 FROM item_categories WHERE item_id = id), 'chosen', 'waiting') FROM items;

-- Names that a model gave and that are no category yet: it takes two facts to make one.
CREATE TABLE proposed_categories (
  item_id TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE,
  folded TEXT NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (item_id, folded)
) STRICT, WITHOUT ROWID;

-- `by_model`: the model saw every fact of the category, whatever it cites. `private`: so was one of those.
CREATE TABLE category_sentences (
  category_id TEXT NOT NULL REFERENCES categories (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  text TEXT NOT NULL,
  by_model INTEGER NOT NULL,
  private INTEGER NOT NULL,
  PRIMARY KEY (category_id, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE sentence_items (
  category_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  item_id TEXT NOT NULL, -- no reference: a sentence whose fact is gone must be found, and goes with it
  PRIMARY KEY (category_id, position, item_id),
  FOREIGN KEY (category_id, position) REFERENCES category_sentences ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- The rules below hold for every way in which a fact changes: settling, editing, forgetting, the cleanup.
CREATE TRIGGER items_wait_for_filing AFTER INSERT ON items
BEGIN
  INSERT INTO item_filings VALUES (NEW.id, NEW.user_id, 'waiting');
END;

CREATE TRIGGER category_gains AFTER INSERT ON item_categories
BEGIN
  UPDATE categories SET dirty = 1 WHERE id = NEW.category_id;
END;

-- A category loses a fact, for whatever reason: what its summary says of it goes at once, the last takes it along.
CREATE TRIGGER category_loses AFTER DELETE ON item_categories
BEGIN
  DELETE FROM category_sentences
  WHERE category_id = OLD.category_id
    AND (
      by_model
      OR position IN (
        SELECT position FROM sentence_items
        WHERE category_id = OLD.category_id AND item_id = OLD.item_id
      )
    );
  UPDATE categories SET dirty = 1 WHERE id = OLD.category_id;
  DELETE FROM categories
  WHERE id = OLD.category_id
    AND NOT EXISTS (SELECT 1 FROM item_categories WHERE category_id = OLD.category_id);
END;

CREATE TRIGGER category_changes
AFTER UPDATE OF content, superseded_by, valid_until, private, importance, pinned ON items
WHEN NEW.content <> OLD.content
  OR NEW.superseded_by IS NOT OLD.superseded_by
  OR NEW.valid_until IS NOT OLD.valid_until
  OR NEW.private <> OLD.private
  OR NEW.importance <> OLD.importance
  OR NEW.pinned <> OLD.pinned
BEGIN
  UPDATE categories SET dirty = 1
  WHERE id IN (SELECT category_id FROM item_categories WHERE item_id = NEW.id);
END;

-- Words that a fact no longer has, holds to no longer, or shows to nobody else any more, are said by no summary.
CREATE TRIGGER category_unsays AFTER UPDATE OF content, superseded_by, private ON items
WHEN NEW.content <> OLD.content
  OR (NEW.superseded_by IS NOT NULL AND OLD.superseded_by IS NULL)
  OR NEW.private > OLD.private
BEGIN
  DELETE FROM category_sentences
  WHERE category_id IN (SELECT category_id FROM item_categories WHERE item_id = NEW.id)
    AND (
      by_model
      OR EXISTS (
        SELECT 1 FROM sentence_items AS s
        WHERE s.category_id = category_sentences.category_id
          AND s.position = category_sentences.position
          AND s.item_id = NEW.id
      )
    );
END;

CREATE TRIGGER items_are_filed_again AFTER UPDATE OF content ON items WHEN NEW.content <> OLD.content
BEGIN
  UPDATE item_filings SET state = 'waiting' WHERE item_id = NEW.id AND state <> 'chosen';
END;
