-- 0 unless only the wrapper of an MCP server reported the call: 1 with the id of the model's call, 2 without.
ALTER TABLE calls ADD COLUMN mcp_only INTEGER NOT NULL DEFAULT 0;
CREATE INDEX calls_mcp_by_id ON calls (project, tool_call_id) WHERE mcp_only > 0;
CREATE INDEX calls_mcp_by_tool ON calls (project, tool_name, first_at) WHERE mcp_only > 1;
