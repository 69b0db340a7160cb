import type { Observation } from "../core/model/observation.ts";
import type { Store } from "../store/port.ts";
import { closeIdleCalls, closeIdleSessions } from "./idle-sessions.ts";

/** Periodic maintenance: closes the open calls of idle sessions, then the sessions. */
export async function sweepStore(
  store: Pick<Store, "idleCalls" | "idleSessions">,
  record: (observations: readonly Observation[]) => Promise<number>,
  now: number,
  { idleTimeoutMs }: { readonly idleTimeoutMs?: number | undefined } = {},
): Promise<void> {
  await closeIdleCalls(store, record, now, idleTimeoutMs);
  await closeIdleSessions(store, record, now, idleTimeoutMs);
}
