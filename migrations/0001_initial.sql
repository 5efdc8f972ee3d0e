-- Times are integer Unix seconds, UTC. Vectors are float32, L2-normalised, each stamped with its model.

-- One sequence numbers turns and facts, so that one full-text table and one vector index serve both.
CREATE TABLE sequence (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO sequence VALUES ('memory', 0);

CREATE TABLE resources (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  event_key TEXT NOT NULL,
  user_id TEXT NOT NULL,
  agent_id TEXT,
  session_id TEXT,
  role TEXT NOT NULL,
  sender TEXT,
  modality TEXT NOT NULL DEFAULT 'chat' CHECK (modality IN ('chat', 'file', 'tool')),
  content TEXT NOT NULL CHECK (json_valid(content)),
  embedding BLOB,
  embedder TEXT,
  timestamp INTEGER NOT NULL,
  tz TEXT NOT NULL,
  origin TEXT NOT NULL CHECK (origin IN ('user', 'assistant', 'tool', 'import')),
  private INTEGER NOT NULL DEFAULT 1,
  content_hash TEXT NOT NULL,
  arrived_at INTEGER NOT NULL,
  UNIQUE (user_id, event_key)
) STRICT;
CREATE INDEX resources_by_session ON resources (user_id, session_id, timestamp);
CREATE INDEX resources_by_time ON resources (user_id, timestamp);
CREATE INDEX resources_by_sender ON resources (user_id, sender) WHERE sender IS NOT NULL AND role = 'user';
CREATE INDEX resources_by_hash ON resources (user_id, content_hash);
CREATE INDEX resources_by_embedder ON resources (embedder, key) WHERE role = 'user';

CREATE TABLE items (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL,
  agent_id TEXT,
  session_id TEXT,
  resource_id TEXT, -- the turn whose words `content` has; NULL when a person worded it
  kind TEXT NOT NULL CHECK (kind IN ('episodic', 'semantic')),
  memory_type TEXT NOT NULL CHECK (memory_type IN ('correction', 'preference', 'decision', 'observation', 'general')),
  content TEXT NOT NULL,
  embedding BLOB,
  embedder TEXT,
  importance REAL NOT NULL DEFAULT 0.5 CHECK (importance BETWEEN 0 AND 1),
  half_life_days INTEGER DEFAULT 30 CHECK (half_life_days > 0),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  stated_at INTEGER NOT NULL,
  reinforced INTEGER NOT NULL DEFAULT 0,
  valid_from INTEGER,
  valid_until INTEGER,
  superseded_by TEXT,
  superseded_at INTEGER,
  pinned INTEGER NOT NULL DEFAULT 0,
  private INTEGER NOT NULL DEFAULT 1,
  trust TEXT NOT NULL DEFAULT 'user' CHECK (trust IN ('user', 'edited', 'assistant', 'import')),
  content_hash TEXT NOT NULL
) STRICT;
CREATE INDEX items_by_user ON items (user_id, stated_at);
CREATE INDEX items_by_hash ON items (user_id, content_hash);
CREATE INDEX items_expiring ON items (valid_until) WHERE valid_until IS NOT NULL;
CREATE INDEX items_superseding ON items (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX items_by_embedder ON items (embedder, key);

CREATE TABLE item_sources (
  item_id TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE,
  resource_id TEXT NOT NULL REFERENCES resources (id) ON DELETE CASCADE,
  span_start INTEGER,
  span_end INTEGER,
  stated_at INTEGER NOT NULL,
  PRIMARY KEY (item_id, resource_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX item_sources_by_resource ON item_sources (resource_id);

-- How facts stand to one another. `supersedes` and `maybe` point from the newer to the older.
CREATE TABLE item_links (
  from_id TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE,
  to_id TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE,
  relation TEXT NOT NULL CHECK (relation IN ('supersedes', 'maybe', 'related')),
  rule TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (from_id, to_id, relation)
) STRICT, WITHOUT ROWID;
CREATE INDEX item_links_back ON item_links (to_id);

-- Other wordings of a fact: before an edit, or as it was restated; with the turn that said so.
CREATE TABLE item_versions (
  item_id TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  content TEXT NOT NULL,
  replaced_at INTEGER NOT NULL,
  cause TEXT NOT NULL CHECK (cause IN ('edited', 'restated')),
  resource_id TEXT,
  PRIMARY KEY (item_id, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE categories (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  summary TEXT NOT NULL DEFAULT '',
  embedding BLOB,
  embedder TEXT,
  dirty INTEGER NOT NULL DEFAULT 1,
  UNIQUE (user_id, name)
) STRICT;

CREATE TABLE item_categories (
  item_id TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE,
  category_id TEXT NOT NULL REFERENCES categories (id) ON DELETE CASCADE,
  PRIMARY KEY (item_id, category_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX item_categories_back ON item_categories (category_id);

-- A turn is in here from its acknowledgement until its effects are stored. The transaction that stores
-- them checks `lease_token`, so a worker whose lease was taken away changes nothing.
CREATE TABLE capture_queue (
  resource_key INTEGER PRIMARY KEY REFERENCES resources (key) ON DELETE CASCADE,
  id TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL,
  session_id TEXT,
  bytes INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'leased', 'done', 'dead')),
  attempts INTEGER NOT NULL DEFAULT 0,
  outages INTEGER NOT NULL DEFAULT 0, -- tries that a provider's outage ended: they lengthen the wait, and count no more
  crashes INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL,
  leased_until INTEGER,
  lease_token TEXT,
  reason TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX capture_queue_due ON capture_queue (due_at, resource_key) WHERE state = 'queued';
-- Finished entries stay a while, so what is asked of the waiting ones must never read those.
CREATE INDEX capture_queue_sessions ON capture_queue (user_id, session_id, resource_key)
  WHERE state = 'queued' OR state = 'leased';
CREATE INDEX capture_queue_weight ON capture_queue (created_at, bytes, state)
  WHERE state = 'queued' OR state = 'leased';
CREATE INDEX capture_queue_dead ON capture_queue (updated_at) WHERE state = 'dead';

CREATE TABLE skipped_turns (
  user_id TEXT NOT NULL,
  day TEXT NOT NULL,
  reason TEXT NOT NULL,
  count INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, day, reason)
) STRICT, WITHOUT ROWID;

CREATE TABLE proactive_items (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  session_id TEXT,
  detector TEXT NOT NULL,
  topic TEXT NOT NULL,
  text TEXT NOT NULL,
  why TEXT NOT NULL,
  probability REAL NOT NULL CHECK (probability BETWEEN 0 AND 1),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  due_at INTEGER,
  expires_at INTEGER NOT NULL,
  delivered_at INTEGER,
  announced INTEGER NOT NULL DEFAULT 0,
  private INTEGER NOT NULL DEFAULT 1,
  state TEXT NOT NULL DEFAULT 'open'
    CHECK (state IN ('open', 'delivered', 'used', 'hit', 'miss', 'dismissed', 'snoozed', 'expired'))
) STRICT;
CREATE INDEX proactive_by_user ON proactive_items (user_id, state, due_at);
CREATE INDEX proactive_by_topic ON proactive_items (user_id, detector, topic);

CREATE TABLE proactive_evidence (
  proactive_id TEXT NOT NULL REFERENCES proactive_items (id) ON DELETE CASCADE,
  resource_id TEXT NOT NULL REFERENCES resources (id) ON DELETE CASCADE,
  item_id TEXT REFERENCES items (id) ON DELETE SET NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (proactive_id, resource_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX proactive_evidence_back ON proactive_evidence (resource_id);

-- A session's place in its compaction cycle; `armed` is 0 between a crossing of 80 % and the fall below 70 %.
CREATE TABLE sessions (
  user_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  agent_id TEXT,
  cycle INTEGER NOT NULL DEFAULT 0,
  armed INTEGER NOT NULL DEFAULT 1,
  ratio REAL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, session_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE session_summaries (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  cycle INTEGER NOT NULL,
  reason TEXT NOT NULL,
  summary TEXT NOT NULL,
  through_key INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  private INTEGER NOT NULL DEFAULT 1,
  UNIQUE (user_id, session_id, cycle)
) STRICT;

CREATE TABLE summary_sources (
  summary_id TEXT NOT NULL REFERENCES session_summaries (id) ON DELETE CASCADE,
  resource_id TEXT NOT NULL REFERENCES resources (id) ON DELETE CASCADE,
  PRIMARY KEY (summary_id, resource_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX summary_sources_back ON summary_sources (resource_id);

CREATE TABLE recall_log (
  id INTEGER PRIMARY KEY,
  user_id TEXT NOT NULL,
  session_id TEXT,
  query TEXT NOT NULL,
  ids TEXT NOT NULL CHECK (json_valid(ids)),
  scores TEXT NOT NULL CHECK (json_valid(scores)),
  threshold REAL NOT NULL,
  outcome TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX recall_log_by_time ON recall_log (created_at);

-- What subscribers are sent; `seq` is their cursor.
CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT,
  topic TEXT NOT NULL,
  payload TEXT NOT NULL CHECK (json_valid(payload)),
  subject_id TEXT,
  private INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE llm_usage (
  day TEXT NOT NULL,
  purpose TEXT NOT NULL,
  model TEXT NOT NULL,
  input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  calls INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (day, purpose, model)
) STRICT, WITHOUT ROWID;

CREATE TABLE job_runs (
  name TEXT PRIMARY KEY,
  last_try INTEGER,
  last_ok INTEGER,
  last_error TEXT
) STRICT, WITHOUT ROWID;

-- How far, in order of arrival, a job has read.
CREATE TABLE job_cursors (
  name TEXT PRIMARY KEY,
  position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE archive (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('item', 'resource')),
  cause TEXT NOT NULL,
  body TEXT NOT NULL CHECK (json_valid(body)),
  archived_at INTEGER NOT NULL
) STRICT;
CREATE INDEX archive_by_time ON archive (archived_at);

-- What the user asked to forget: hashes and event keys, never words. Only `forget` writes here.
CREATE TABLE tombstones (
  user_id TEXT NOT NULL,
  subject TEXT NOT NULL CHECK (subject IN ('event_key', 'content')),
  value TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, subject, value)
) STRICT, WITHOUT ROWID;

-- What was measured about an embedder on this store.
CREATE TABLE calibration (
  embedder TEXT NOT NULL,
  name TEXT NOT NULL,
  value BLOB NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (embedder, name)
) STRICT, WITHOUT ROWID;

-- Terms come ready-made (stems, bigrams of Han characters): the tokenizer only splits at blanks. `owner`
-- holds a token for the user and, for what is not private, another, so that a search stays inside its scope.
CREATE VIRTUAL TABLE fulltext USING fts5 (
  owner,
  terms,
  content = '',
  contentless_delete = 1,
  tokenize = 'unicode61 remove_diacritics 0'
);
CREATE VIRTUAL TABLE fulltext_terms USING fts5vocab (fulltext, 'row');
