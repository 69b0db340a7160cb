-- The list of calls: in order of the results, by tool, failures alone, and repaired calls alone. The last columns are
-- filters, so that a page does not read the rows that it leaves out.
CREATE INDEX calls_by_time ON calls (settled_at, status, soft, model_name, client, provider, workflow) WHERE call_count = 1;
CREATE INDEX calls_by_tool ON calls (tool_name, settled_at, status, model_name) WHERE call_count = 1;
CREATE INDEX calls_failed ON calls (settled_at, category, tool_name, model_name, phase) WHERE error_count = 1;
CREATE INDEX calls_repaired ON calls (settled_at) WHERE origin = 'recovered';
