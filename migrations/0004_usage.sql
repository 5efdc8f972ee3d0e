-- What a model's tokens cost, in millionths of a dollar. `unpriced_tokens`: those whose price is not known.
-- `is_local`: a model on this machine; counted, but neither paid nor in the budget.
ALTER TABLE llm_usage ADD COLUMN cost_micro INTEGER NOT NULL DEFAULT 0;
ALTER TABLE llm_usage ADD COLUMN unpriced_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE llm_usage ADD COLUMN is_local INTEGER NOT NULL DEFAULT 0;

-- Calls that are on their way, with what they may cost at most. All are void when the daemon starts.
CREATE TABLE llm_reservations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  day TEXT NOT NULL,
  purpose TEXT NOT NULL,
  model TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  cost_micro INTEGER NOT NULL
) STRICT;

-- What recalls handed out, and what resending the session's history would have cost instead.
CREATE TABLE recall_usage (
  day TEXT NOT NULL,
  user_id TEXT NOT NULL,
  recalls INTEGER NOT NULL DEFAULT 0,
  injected_tokens INTEGER NOT NULL DEFAULT 0,
  history_tokens INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (day, user_id)
) STRICT, WITHOUT ROWID;

-- How long the history of a session is that an agent without memory would resend; '' stands for no session.
CREATE TABLE session_histories (
  user_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  tokens INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, session_id)
) STRICT, WITHOUT ROWID;
