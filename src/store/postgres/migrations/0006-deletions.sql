-- Deleted sessions. While `session_id` is set, rows of the session are still to be removed: any server goes on with them. Then only the hash is
-- left: what arrives later and is older than the deletion is refused by it, and every server finds its copies of the session's lines by it.
CREATE TABLE IF NOT EXISTS deletions (
  id BIGINT PRIMARY KEY,
  session TEXT COLLATE "C" NOT NULL,
  deleted_at BIGINT NOT NULL,
  keeps_sums INTEGER NOT NULL,
  project TEXT COLLATE "C",
  session_id TEXT COLLATE "C"
);
CREATE INDEX IF NOT EXISTS deletions_by_session ON deletions (session, deleted_at);
CREATE INDEX IF NOT EXISTS deletions_pending ON deletions (id) WHERE session_id IS NOT NULL;

-- Up to which deletion the files of a data folder are clean.
CREATE TABLE IF NOT EXISTS clean_folders (folder TEXT COLLATE "C" PRIMARY KEY, position BIGINT NOT NULL);

-- An error is the calls that have its fingerprint: its sample and its times are those of the calls that are left.
CREATE INDEX IF NOT EXISTS calls_by_fingerprint ON calls (project, fingerprint, settled_at)
  WHERE fingerprint IS NOT NULL AND error_count = 1;

-- Calls that were carried over name their original; a deleted session must not stay named.
CREATE INDEX IF NOT EXISTS calls_by_original ON calls ((inherited_from COLLATE "C")) WHERE inherited_from IS NOT NULL;

-- Rows of sums that came to nothing, and errors of which no call is left.
DELETE FROM rollups WHERE calls = 0;
DELETE FROM total_rollups WHERE calls = 0;
DELETE FROM workflow_rollups WHERE calls = 0;
DELETE FROM origin_rollups WHERE calls = 0;
DELETE FROM session_rollups WHERE sessions = 0 AND requests = 0;
DELETE FROM durations WHERE calls = 0;
DELETE FROM session_facets WHERE calls = 0;
DELETE FROM fingerprint_rollups r WHERE r.calls = 0 OR NOT EXISTS (
  SELECT 1 FROM calls c WHERE c.project = r.project AND c.fingerprint = r.fingerprint AND c.error_count = 1);
DELETE FROM fingerprint_facets f WHERE f.calls = 0 OR NOT EXISTS (
  SELECT 1 FROM calls c WHERE c.project = f.project AND c.fingerprint = f.fingerprint AND c.error_count = 1);
