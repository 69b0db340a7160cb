/** Does an answer come as server-sent events? By its header. */
export function isEventStream(contentType: string | undefined): boolean {
  return /^text\/event-stream\b/i.test(contentType ?? "");
}

/**
 * The same by its first bytes: gateways put the wrong header on streams and on bodies. A body of these APIs is a JSON object, and no line of
 * a stream begins like one. Undefined when the bytes do not tell.
 */
export function looksLikeEventStream(start: Buffer): boolean | undefined {
  const text = start.toString("utf8", 0, 64).trimStart();
  if (text.startsWith("{")) return false;
  return /^(event|data|id|retry)?:/.test(text) ? true : undefined;
}
