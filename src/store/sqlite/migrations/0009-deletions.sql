-- Deleted sessions. `session_id` is set while rows of the session remain: a start after a crash removes them. Afterwards only the hash is left.
-- It identifies observations to refuse, and copies of the session's lines in files.
CREATE TABLE IF NOT EXISTS deletions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL,
  deleted_at BIGINT NOT NULL,
  keeps_sums INTEGER NOT NULL,
  project TEXT,
  session_id TEXT
);
CREATE INDEX IF NOT EXISTS deletions_by_session ON deletions (session, deleted_at);
CREATE INDEX IF NOT EXISTS deletions_pending ON deletions (id) WHERE session_id IS NOT NULL;

-- Position in `deletions` up to which the files of a data folder are clean.
CREATE TABLE IF NOT EXISTS clean_folders (folder TEXT PRIMARY KEY, position BIGINT NOT NULL);

-- An error is computed from the calls with its fingerprint. Databases of before version 3
-- have it in the record only.
UPDATE calls SET fingerprint = json_extract(record, '$.facts.result.value.outcome.fingerprint') WHERE fingerprint IS NULL AND error_count = 1;
CREATE INDEX IF NOT EXISTS calls_by_fingerprint ON calls (project, fingerprint, settled_at) WHERE fingerprint IS NOT NULL AND error_count = 1;

-- Finds calls that were carried over from a deleted session.
CREATE INDEX IF NOT EXISTS calls_by_original ON calls (inherited_from) WHERE inherited_from IS NOT NULL;

-- Remove sums of 0, and errors without calls.
DELETE FROM rollups WHERE calls = 0;
DELETE FROM total_rollups WHERE calls = 0;
DELETE FROM workflow_rollups WHERE calls = 0;
DELETE FROM origin_rollups WHERE calls = 0;
DELETE FROM session_rollups WHERE sessions = 0 AND requests = 0;
DELETE FROM durations WHERE calls = 0;
DELETE FROM session_facets WHERE calls = 0;
DELETE FROM fingerprint_rollups WHERE calls = 0 OR NOT EXISTS (
  SELECT 1 FROM calls c WHERE c.project = fingerprint_rollups.project AND c.fingerprint = fingerprint_rollups.fingerprint AND c.error_count = 1);
DELETE FROM fingerprint_facets WHERE calls = 0 OR NOT EXISTS (
  SELECT 1 FROM calls c WHERE c.project = fingerprint_facets.project AND c.fingerprint = fingerprint_facets.fingerprint AND c.error_count = 1);
