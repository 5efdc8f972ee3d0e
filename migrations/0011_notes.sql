-- Notes that people and agents keep in files, such as MEMORY.md. The words stand in the turns alone, so that what
-- is forgotten is nowhere else; a line that was forgotten is known by its hash and stays away.
CREATE TABLE note_files (
  id INTEGER PRIMARY KEY,
  user_id TEXT NOT NULL,
  path TEXT NOT NULL,
  watched INTEGER NOT NULL DEFAULT 0,
  stamp TEXT NOT NULL DEFAULT '', -- size and time of change of what was read last
  trouble TEXT, -- why it can't be read now; nothing is changed until it can
  read_at INTEGER,
  UNIQUE (user_id, path)
) STRICT;

CREATE TABLE note_lines (
  file_id INTEGER NOT NULL REFERENCES note_files (id) ON DELETE CASCADE,
  content_hash TEXT NOT NULL,
  position INTEGER NOT NULL,
  resource_id TEXT REFERENCES resources (id) ON DELETE SET NULL,
  item_id TEXT REFERENCES items (id) ON DELETE SET NULL,
  PRIMARY KEY (file_id, content_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX note_lines_by_resource ON note_lines (resource_id) WHERE resource_id IS NOT NULL;
CREATE INDEX note_lines_by_item ON note_lines (item_id) WHERE item_id IS NOT NULL;
