-- `id` names a row of tool_calls, as scores and links do: the record_id under a shorter name.
CREATE OR REPLACE VIEW tool_calls AS
SELECT
  project, session_id, agent_id, tool_call_id, occurrence, record_id, request_id, provider, model_name, tool_name, client,
  status, phase, category, severity, soft, status_message, call_count, error_count,
  execution_time_ms AS avg_execution_time_ms, turnaround_ms, input_size_bytes, output_size_bytes, created_at,
  workflow, fingerprint, position, preceding_tool, preceding_success, is_cascade_failure, retry_of, retry_count, recovered_by,
  cascade_of, cascade_rule, client_version, record_id AS id
FROM calls
WHERE call_count = 1;
