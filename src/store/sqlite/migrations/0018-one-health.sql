-- Unhealthy sessions are counted by session_health, as in the list of sessions, the scores and the metrics.
UPDATE session_rollups SET unhealthy = (
  SELECT count(*) FROM sessions s
  WHERE s.health = 'unhealthy' AND s.project = session_rollups.project
    AND s.last_at >= session_rollups.start AND s.last_at < session_rollups.start + session_rollups.span);
