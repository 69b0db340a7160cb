/** The fields of live events that are shown. */
export interface FeedEvent {
  readonly type: string;
  readonly timestamp?: string;
  readonly project?: string;
  readonly session_id?: string;
  readonly record_id?: string;
  readonly tool_name?: string;
  readonly status?: string;
  readonly status_message?: string | null;
  readonly category?: string | null;
  readonly model_name?: string | null;
  readonly format?: string;
  readonly [field: string]: unknown;
}

export interface TailEntry {
  readonly number: number;
  readonly event: FeedEvent;
  /** Lower-case text that filters are matched against. */
  readonly text: string;
}

const MAX_LINES = 2000;
const RATE_SECONDS = 5;
/** Event types that add nothing to the call's recorded result. */
const HIDDEN_TYPES = new Set([
  ...["request_recorded", "response_recorded", "tool_call_requested", "tool_call_linked", "session_scored"],
]);
/** A session that ended earlier is detected late, by its idle timeout: many together after an import. */
const MAX_END_AGE_MS = 3_600_000;

/** The newest events and their rate. Bounded: the oldest are dropped. */
export class Tail {
  #entries: TailEntry[] = [];
  #count = 0;
  readonly #seconds = new Map<number, number>();

  /** Puts recorded calls, newest first, before the events that have arrived meanwhile. */
  start(calls: readonly FeedEvent[]): void {
    const known = new Set(this.#entries.map(({ event }) => event.record_id));
    const earlier = calls.filter(({ record_id: id }) => !known.has(id)).toReversed();
    this.#entries = [
      ...earlier.map((event, at) => ({ number: at - earlier.length, event, text: textOf(event) })),
      ...this.#entries,
    ];
  }

  push(line: string, now: number): void {
    const second = Math.floor(now / 1000);
    this.#seconds.set(second, (this.#seconds.get(second) ?? 0) + 1);
    for (const old of this.#seconds.keys()) {
      if (old >= second - RATE_SECONDS) break;
      this.#seconds.delete(old);
    }
    const event = read(line);
    if (event === undefined || HIDDEN_TYPES.has(event.type) || isOldEnd(event, now)) return;
    this.#count++;
    this.#entries.push({ number: this.#count, event, text: textOf(event) });
    // Truncate rarely: moving a long list for every event would cost more than the event.
    if (this.#entries.length > 2 * MAX_LINES) this.#entries = this.#entries.slice(-MAX_LINES);
  }

  /** Newest first; every word of the filter must occur. */
  newest(filter: string, failedOnly: boolean): readonly TailEntry[] {
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    return this.#entries
      .slice(-MAX_LINES)
      .filter(
        ({ event, text }) => (!failedOnly || event.status === "failed") && words.every((word) => text.includes(word)),
      )
      .reverse();
  }

  /** Average rate of all events over the last whole seconds. */
  rate(now: number): number {
    const second = Math.floor(now / 1000);
    let sum = 0;
    for (let at = second - RATE_SECONDS; at < second; at++) sum += this.#seconds.get(at) ?? 0;
    return sum / RATE_SECONDS;
  }

  get count(): number {
    return this.#count;
  }
}

function isOldEnd({ type, timestamp = "" }: FeedEvent, now: number): boolean {
  return type === "session_ended" && now - Date.parse(timestamp) > MAX_END_AGE_MS;
}

function textOf(event: FeedEvent): string {
  const { type, tool_name, category, session_id, session_name, model_name, status, status_message, format } = event;
  return [type, tool_name, category, session_id, session_name, model_name, status, status_message, format]
    .filter((text) => typeof text === "string")
    .join("\n")
    .toLowerCase();
}

function read(line: string): FeedEvent | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof (value as FeedEvent | null)?.type === "string" ? (value as FeedEvent) : undefined;
  } catch {
    return undefined;
  }
}
