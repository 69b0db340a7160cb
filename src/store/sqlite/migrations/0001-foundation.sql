-- One row per call, whichever channels saw it. Columns are for questions; `record` is what merge works on.
CREATE TABLE calls (
  project TEXT NOT NULL,
  session_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  tool_call_id TEXT NOT NULL,
  occurrence INTEGER NOT NULL,
  record_id TEXT NOT NULL,
  request_id TEXT,
  provider TEXT,
  model_name TEXT,
  tool_name TEXT NOT NULL,
  client TEXT,
  status TEXT NOT NULL,
  phase TEXT,
  category TEXT,
  severity REAL,
  soft INTEGER NOT NULL,
  status_message TEXT,
  execution_time_ms INTEGER,
  turnaround_ms INTEGER,
  input_size_bytes INTEGER NOT NULL,
  output_size_bytes INTEGER,
  first_at BIGINT NOT NULL,
  settled_at BIGINT,
  wire_result TEXT,
  made_here INTEGER NOT NULL,
  made_at BIGINT,
  conversation TEXT,
  in_history INTEGER NOT NULL,
  inherited_from TEXT,
  call_count INTEGER NOT NULL,
  error_count INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (project, session_id, agent_id, tool_call_id, occurrence)
);
CREATE INDEX calls_twins ON calls (project, tool_call_id, wire_result, made_here, first_at);
CREATE INDEX calls_pending ON calls (project, first_at) WHERE status = 'pending';

CREATE TABLE sessions (
  project TEXT NOT NULL,
  session_id TEXT NOT NULL,
  started_at TEXT NOT NULL,
  last_at BIGINT NOT NULL,
  client TEXT,
  provider TEXT,
  model_used TEXT,
  requests INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  ok INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  unknown INTEGER NOT NULL,
  soft INTEGER NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (project, session_id)
);
CREATE INDEX sessions_recent ON sessions (last_at);

-- When each thread was first heard of: what its first request carried, it did not do itself.
CREATE TABLE threads (
  project TEXT NOT NULL,
  session_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  first_at BIGINT NOT NULL,
  PRIMARY KEY (project, session_id, agent_id)
);

CREATE TABLE requests (
  project TEXT NOT NULL,
  request_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  conversation TEXT,
  started_at BIGINT,
  ended_at BIGINT,
  model TEXT,
  provider TEXT,
  http_status INTEGER,
  ended TEXT,
  record TEXT NOT NULL,
  PRIMARY KEY (project, request_id)
);
CREATE INDEX requests_by_session ON requests (project, session_id, agent_id, conversation, started_at);

-- Counted calls per hour; every dashboard figure is a sum over these.
CREATE TABLE rollups (
  project TEXT NOT NULL,
  hour BIGINT NOT NULL,
  provider TEXT NOT NULL,
  model_name TEXT NOT NULL,
  tool_name TEXT NOT NULL,
  phase TEXT NOT NULL,
  category TEXT NOT NULL,
  calls INTEGER NOT NULL,
  ok INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  unknown INTEGER NOT NULL,
  soft INTEGER NOT NULL,
  PRIMARY KEY (project, hour, provider, model_name, tool_name, phase, category)
);

-- Events as finished lines, until every reader has passed them. A row may hold several; its id is the number of the last.
CREATE TABLE changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  line TEXT NOT NULL
);
CREATE TABLE cursors (name TEXT PRIMARY KEY, position BIGINT NOT NULL);
CREATE TABLE journal_positions (journal TEXT PRIMARY KEY, position TEXT NOT NULL);

-- The names and shape that queries of other tools rely on. Only settled calls: a rate must not divide by pending ones.
CREATE VIEW tool_calls AS
SELECT
  project, session_id, agent_id, tool_call_id, occurrence, record_id, request_id, provider, model_name, tool_name, client,
  status, phase, category, severity, soft, status_message, call_count, error_count,
  execution_time_ms AS avg_execution_time_ms, turnaround_ms, input_size_bytes, output_size_bytes, created_at
FROM calls
WHERE call_count = 1;
