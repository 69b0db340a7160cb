-- Calls that may also be recorded elsewhere, under another session or id; see core/model/unjoined.ts.
ALTER TABLE calls RENAME COLUMN mcp_only TO unjoined;
DROP INDEX calls_mcp_by_id;
DROP INDEX calls_mcp_by_tool;
CREATE INDEX calls_unjoined_by_id ON calls (project, tool_call_id) WHERE unjoined > 0;
CREATE INDEX calls_unjoined_by_tool ON calls (project, tool_name, first_at) WHERE unjoined = 2;

-- The session with the calls, for sessions of a client whose calls the proxy recorded under another id.
ALTER TABLE sessions ADD COLUMN joined_to TEXT COLLATE "C";

CREATE INDEX usages_by_turn ON usages (project, turn) WHERE turn IS NOT NULL;
