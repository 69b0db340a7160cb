-- How each call stands to the others of its thread; other calls are named by record_id. Null while a call counts nowhere.
ALTER TABLE calls ADD COLUMN thread_order INTEGER NOT NULL DEFAULT 2147483647;
ALTER TABLE calls ADD COLUMN turn TEXT;
ALTER TABLE calls ADD COLUMN turn_index INTEGER NOT NULL DEFAULT 0;
ALTER TABLE calls ADD COLUMN prompt TEXT;
ALTER TABLE calls ADD COLUMN workflow TEXT;
ALTER TABLE calls ADD COLUMN fingerprint TEXT;
ALTER TABLE calls ADD COLUMN position INTEGER;
ALTER TABLE calls ADD COLUMN preceding_tool TEXT;
ALTER TABLE calls ADD COLUMN preceding_success INTEGER;
ALTER TABLE calls ADD COLUMN is_cascade_failure INTEGER;
ALTER TABLE calls ADD COLUMN retry_of TEXT;
ALTER TABLE calls ADD COLUMN retry_count INTEGER;
ALTER TABLE calls ADD COLUMN recovered_by TEXT;
ALTER TABLE calls ADD COLUMN cascade_of TEXT;
ALTER TABLE calls ADD COLUMN cascade_rule TEXT;
-- The order of a thread: links look a bounded number of calls back along it.
CREATE INDEX calls_chain ON calls (project, session_id, agent_id, first_at, thread_order, turn_index, record_id)
  WHERE call_count = 1;
CREATE INDEX calls_prompt ON calls (project, session_id, prompt) WHERE prompt IS NOT NULL;

ALTER TABLE sessions ADD COLUMN trace_id TEXT;
ALTER TABLE sessions ADD COLUMN recovered INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN follow_on INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN retries INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN unrecovered INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN excused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN success_rate REAL;
ALTER TABLE sessions ADD COLUMN health TEXT NOT NULL DEFAULT 'insufficient';
ALTER TABLE sessions ADD COLUMN rate_health TEXT NOT NULL DEFAULT 'insufficient';
ALTER TABLE sessions ADD COLUMN dominant_failure_mode TEXT;
ALTER TABLE sessions ADD COLUMN worst_severity REAL NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN stopped_at BIGINT;
ALTER TABLE sessions ADD COLUMN ended_at BIGINT;
ALTER TABLE sessions ADD COLUMN scored_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX sessions_by_id ON sessions (session_id);
CREATE INDEX sessions_by_health ON sessions (health, last_at);
CREATE INDEX sessions_by_rate_health ON sessions (rate_health, last_at);
CREATE INDEX sessions_by_severity ON sessions (worst_severity, last_at);
CREATE INDEX sessions_by_failures ON sessions (failed, last_at);
CREATE INDEX sessions_by_unrecovered ON sessions (unrecovered, last_at);
CREATE INDEX sessions_unscored ON sessions (last_at) WHERE scored_at < last_at;

-- In how many calls of a session a tool, a model, a kind of work or a category occurs.
CREATE TABLE session_facets (
  project TEXT NOT NULL,
  session_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  calls INTEGER NOT NULL,
  PRIMARY KEY (project, session_id, kind, value)
) WITHOUT ROWID;
CREATE INDEX session_facets_by_value ON session_facets (kind, value, project, session_id);

CREATE INDEX leaks_by_session ON leaks (project, session_id);

-- Messages of the user: that they were, and what kind of work they ask for.
CREATE TABLE prompts (
  project TEXT NOT NULL,
  session_id TEXT NOT NULL,
  prompt TEXT NOT NULL,
  workflow TEXT,
  first_at BIGINT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (project, session_id, prompt)
);

-- Sums over settled calls, by hour and once more by day (span, in ms): a long range adds up days, and hours only at its ends. The key starts with
-- what every question asks for, and the table is its own index.
ALTER TABLE rollups RENAME TO rollups_by_hour;
CREATE TABLE rollups (
  project TEXT NOT NULL,
  span INTEGER NOT NULL,
  start BIGINT NOT NULL,
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
  recovered INTEGER NOT NULL,
  follow_on INTEGER NOT NULL,
  retries INTEGER NOT NULL,
  unrecovered INTEGER NOT NULL,
  excused INTEGER NOT NULL,
  PRIMARY KEY (span, start, project, provider, model_name, tool_name, phase, category)
) WITHOUT ROWID;
DROP TABLE rollups_by_hour;

-- The same with few dimensions: totals and series are sums over these.
CREATE TABLE total_rollups (
  project TEXT NOT NULL,
  span INTEGER NOT NULL,
  start BIGINT NOT NULL,
  phase TEXT NOT NULL,
  category TEXT NOT NULL,
  calls INTEGER NOT NULL,
  ok INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  unknown INTEGER NOT NULL,
  soft INTEGER NOT NULL,
  recovered INTEGER NOT NULL,
  follow_on INTEGER NOT NULL,
  retries INTEGER NOT NULL,
  unrecovered INTEGER NOT NULL,
  excused INTEGER NOT NULL,
  PRIMARY KEY (span, start, project, phase, category)
) WITHOUT ROWID;

-- Sessions and their requests by the time of their last sign of life.
CREATE TABLE session_rollups (
  project TEXT NOT NULL,
  span INTEGER NOT NULL,
  start BIGINT NOT NULL,
  sessions INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (span, start, project)
) WITHOUT ROWID;

CREATE TABLE workflow_rollups (
  project TEXT NOT NULL,
  span INTEGER NOT NULL,
  start BIGINT NOT NULL,
  workflow TEXT NOT NULL,
  phase TEXT NOT NULL,
  category TEXT NOT NULL,
  calls INTEGER NOT NULL,
  ok INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  unknown INTEGER NOT NULL,
  soft INTEGER NOT NULL,
  recovered INTEGER NOT NULL,
  follow_on INTEGER NOT NULL,
  retries INTEGER NOT NULL,
  unrecovered INTEGER NOT NULL,
  excused INTEGER NOT NULL,
  PRIMARY KEY (span, start, project, workflow, phase, category)
) WITHOUT ROWID;

-- How long tools took, in classes that each are a fifth wider than the one before.
CREATE TABLE durations (
  project TEXT NOT NULL,
  span INTEGER NOT NULL,
  start BIGINT NOT NULL,
  tool_name TEXT NOT NULL,
  bucket INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  PRIMARY KEY (span, start, project, tool_name, bucket)
) WITHOUT ROWID;

-- The same failure wherever it occurs.
CREATE TABLE fingerprint_rollups (
  project TEXT NOT NULL,
  span INTEGER NOT NULL,
  start BIGINT NOT NULL,
  fingerprint TEXT NOT NULL,
  category TEXT NOT NULL,
  calls INTEGER NOT NULL,
  PRIMARY KEY (span, start, project, fingerprint, category)
) WITHOUT ROWID;
CREATE TABLE fingerprint_facets (
  project TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  tool_name TEXT NOT NULL,
  model_name TEXT NOT NULL,
  calls INTEGER NOT NULL,
  PRIMARY KEY (project, fingerprint, tool_name, model_name)
) WITHOUT ROWID;
CREATE TABLE fingerprints (
  project TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  category TEXT NOT NULL,
  first_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  sample TEXT NOT NULL,
  PRIMARY KEY (project, fingerprint)
);

DROP VIEW tool_calls;
CREATE VIEW tool_calls AS
SELECT
  project, session_id, agent_id, tool_call_id, occurrence, record_id, request_id, provider, model_name, tool_name, client,
  status, phase, category, severity, soft, status_message, call_count, error_count,
  execution_time_ms AS avg_execution_time_ms, turnaround_ms, input_size_bytes, output_size_bytes, created_at,
  workflow, fingerprint, position, preceding_tool, preceding_success, is_cascade_failure, retry_of, retry_count, recovered_by,
  cascade_of, cascade_rule
FROM calls
WHERE call_count = 1;

-- Derived, so each score exists once and is always the present one. `value` for numbers and booleans, `string_value` for names.
CREATE VIEW scores AS
SELECT record_id || '-tool_success' AS id, 'tool_success' AS name, 'BOOLEAN' AS data_type,
  CASE status WHEN 'ok' THEN 1.0 ELSE 0.0 END AS value, CAST(NULL AS TEXT) AS string_value,
  project, session_id, record_id AS observation_id, CAST(NULL AS TEXT) AS trace_id
FROM calls WHERE call_count = 1 AND status IN ('ok', 'failed')
UNION ALL
SELECT record_id || '-failure_category', 'failure_category', 'CATEGORICAL', NULL, coalesce(category, 'failed'),
  project, session_id, record_id, NULL
FROM calls WHERE error_count = 1
UNION ALL
SELECT record_id || '-error_severity', 'error_severity', 'NUMERIC', coalesce(severity, 0.5), NULL,
  project, session_id, record_id, NULL
FROM calls WHERE error_count = 1
UNION ALL
SELECT record_id || '-is_cascade_failure', 'is_cascade_failure', 'BOOLEAN', 1.0 * coalesce(is_cascade_failure, 0), NULL,
  project, session_id, record_id, NULL
FROM calls WHERE error_count = 1
UNION ALL
SELECT trace_id || '-session_success_rate', 'session_success_rate', 'NUMERIC', success_rate, NULL,
  project, session_id, NULL, trace_id
FROM sessions WHERE success_rate IS NOT NULL
UNION ALL
SELECT trace_id || '-session_health', 'session_health', 'CATEGORICAL', NULL, health, project, session_id, NULL, trace_id
FROM sessions
UNION ALL
SELECT trace_id || '-dominant_failure_mode', 'dominant_failure_mode', 'CATEGORICAL', NULL, dominant_failure_mode,
  project, session_id, NULL, trace_id
FROM sessions WHERE dominant_failure_mode IS NOT NULL
UNION ALL
SELECT trace_id || '-session_rate_health', 'session_rate_health', 'CATEGORICAL', NULL, rate_health, project, session_id, NULL, trace_id
FROM sessions;
