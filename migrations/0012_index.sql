-- Which vector index was chosen in the running daemon, under which configured one: the choice stands until the
-- configuration says something else. `is_built` is 0 until the chosen one has taken the place of the one before.
CREATE TABLE index_choice (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  configured TEXT NOT NULL,
  chosen TEXT NOT NULL,
  is_built INTEGER NOT NULL CHECK (is_built IN (0, 1)),
  attempts INTEGER NOT NULL DEFAULT 0 -- begun, and neither ended nor stopped: the daemon died over it
) STRICT;
