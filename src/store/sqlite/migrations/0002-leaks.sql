-- Calls that an answer held as text; one row for each format and reason. Columns are for questions; `record` is the observation.
CREATE TABLE leaks (
  project TEXT NOT NULL,
  request_id TEXT NOT NULL,
  result TEXT NOT NULL,
  format TEXT NOT NULL,
  reason TEXT NOT NULL,
  session_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  model TEXT,
  provider TEXT,
  parsed INTEGER NOT NULL,
  dropped INTEGER NOT NULL,
  occurred_at BIGINT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (project, request_id, result, format, reason)
);
CREATE INDEX leaks_recent ON leaks (occurred_at);
