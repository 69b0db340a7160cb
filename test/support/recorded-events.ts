import { until } from "./raw-http.ts";
import type { Running } from "./running.ts";

/** An event of the feed, with the fields that tests look at. */
export interface RecordedEvent {
  readonly type: string;
  readonly session_id: string;
  readonly agent_id: string;
  readonly tool_call_id: string;
  readonly tool_name: string;
  readonly occurrence: number;
  readonly status: "ok" | "failed" | "unknown";
  readonly [field: string]: unknown;
}

export async function recordedEvents({ server }: Running): Promise<readonly RecordedEvent[]> {
  await server.drain();
  return (await server.store.events(0, 10_000)).map(({ line }) => JSON.parse(line) as RecordedEvent);
}

/**
 * Recording runs after the traffic: waits until the given number of responses is recorded, then returns the events of a
 * type.
 */
export async function eventsAfter(
  running: Running,
  responses: number,
  type: string,
): Promise<readonly RecordedEvent[]> {
  const of = async (name: string) => (await recordedEvents(running)).filter((event) => event.type === name);
  await until(
    `${responses} responses are recorded`,
    async () => (await of("response_recorded")).length === responses,
    10_000,
  );
  return of(type);
}
