-- Calls in a row that brought nothing new (docs/loops.md). Empty for calls of earlier versions of Toolmend.
ALTER TABLE calls ADD COLUMN loop TEXT COLLATE "C";
ALTER TABLE calls ADD COLUMN loop_end TEXT COLLATE "C";
ALTER TABLE calls ADD COLUMN new_change INTEGER;
ALTER TABLE calls ADD COLUMN loop_run INTEGER;
CREATE INDEX calls_loop ON calls (first_at) WHERE loop_run >= 3;

ALTER TABLE sessions ADD COLUMN loops BIGINT NOT NULL DEFAULT 0;
CREATE INDEX sessions_loops ON sessions (last_at) WHERE loops > 0;
