-- The tokens of each response, and their sums by hour and by day. Unknown for responses of earlier versions of Toolmend.
CREATE TABLE usages (
  project TEXT NOT NULL,
  session_id TEXT NOT NULL,
  response TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  request_id TEXT,
  turn TEXT,
  provider TEXT,
  model_name TEXT,
  occurred_at BIGINT NOT NULL,
  input_tokens INTEGER,
  output_tokens INTEGER,
  cached_tokens INTEGER,
  cache_write_tokens INTEGER,
  reasoning_tokens INTEGER,
  record TEXT NOT NULL,
  PRIMARY KEY (project, session_id, response)
);

-- A kind of tokens that no response reported has no row: its sum is unknown.
CREATE TABLE token_rollups (
  project TEXT NOT NULL,
  span INTEGER NOT NULL,
  start BIGINT NOT NULL,
  provider TEXT NOT NULL,
  model_name TEXT NOT NULL,
  kind TEXT NOT NULL,
  responses INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  PRIMARY KEY (span, start, project, provider, model_name, kind)
) WITHOUT ROWID;

ALTER TABLE sessions ADD COLUMN input_tokens INTEGER;
ALTER TABLE sessions ADD COLUMN output_tokens INTEGER;
ALTER TABLE sessions ADD COLUMN cached_tokens INTEGER;
ALTER TABLE sessions ADD COLUMN cache_write_tokens INTEGER;
ALTER TABLE sessions ADD COLUMN reasoning_tokens INTEGER;
