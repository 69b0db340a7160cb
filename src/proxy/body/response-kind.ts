/** Detects a stream of server-sent events by its header. */
export function isEventStream(contentType: string | undefined): boolean {
  return /^text\/event-stream\b/i.test(contentType ?? "");
}

/**
 * Detects a stream by its first bytes, because gateways send the wrong header for streams and for bodies. A body of
 * these APIs is a JSON object, and no line of a stream begins like one. Returns undefined if the bytes match neither.
 */
export function looksLikeEventStream(start: Buffer): boolean | undefined {
  const text = start.toString("utf8", 0, 64).trimStart();
  if (text.startsWith("{")) return false;
  return /^(event|data|id|retry)?:/.test(text) ? true : undefined;
}
