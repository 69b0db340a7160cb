import type { Observation } from "../core/model/observation.ts";
import type { Store } from "../store/port.ts";
import { closeIdleCalls, closeIdleSessions } from "./idle-sessions.ts";

/** What is due from time to time: open calls of sessions that are over, and their scores. */
export async function sweepStore(
  store: Pick<Store, "quietCalls" | "quietSessions">,
  record: (observations: readonly Observation[]) => Promise<number>,
  now: number,
  { idleTimeoutMs }: { readonly idleTimeoutMs?: number | undefined } = {},
): Promise<void> {
  await closeIdleCalls(store, record, now, idleTimeoutMs);
  await closeIdleSessions(store, record, now, idleTimeoutMs);
}
