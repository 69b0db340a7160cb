-- Unhealthy sessions are counted by session_health, as in the list of sessions, the scores and the metrics.
UPDATE session_rollups r SET unhealthy = (
  SELECT count(*) FROM sessions s
  WHERE s.health = 'unhealthy' AND s.project = r.project AND s.last_at >= r.start AND s.last_at < r.start + r.span);
