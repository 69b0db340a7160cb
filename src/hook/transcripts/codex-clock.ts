import { isObject, parseJson } from "../../core/wire/json.ts";

/** The client's own clock, at the fixed place where it writes it: a field of its JSON, or the head of its text. */
export function measuredMs(content: unknown): number | undefined {
  if (typeof content !== "string") return undefined;
  const head = /^(?:(?:Chunk ID|Exit code): [^\n]{0,80}\n)?Wall time: (\d{1,9}(?:\.\d{1,9})?) seconds?\n/.exec(
    content.slice(0, 300),
  );
  if (head !== null) return Math.round(Number(head[1]) * 1000);
  if (!content.startsWith('{"output":')) return undefined;
  const whole = parseJson(content);
  const seconds = isObject(whole) && isObject(whole.metadata) ? whole.metadata.duration_seconds : undefined;
  return typeof seconds === "number" && seconds >= 0 && Number.isFinite(seconds)
    ? Math.round(seconds * 1000)
    : undefined;
}

/** The same in an event of its own. */
export function durationMs(duration: unknown): number | undefined {
  if (!isObject(duration)) return undefined;
  const { secs, nanos } = duration;
  if (!Number.isFinite(secs) || !Number.isFinite(nanos) || (secs as number) < 0) return undefined;
  return Math.round((secs as number) * 1000 + (nanos as number) / 1e6);
}
