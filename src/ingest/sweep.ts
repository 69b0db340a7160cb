import type { Observation } from "../core/model/observation.ts";
import type { Store } from "../store/port.ts";
import { closeQuietCalls, closeQuietSessions } from "./quiet-calls.ts";

/** What is due from time to time: open calls of sessions that are over, and their scores. */
export async function sweepStore(
  store: Pick<Store, "quietCalls" | "quietSessions">,
  record: (observations: readonly Observation[]) => Promise<number>,
  now: number,
  { quietMs }: { readonly quietMs?: number | undefined } = {},
): Promise<void> {
  await closeQuietCalls(store, record, now, quietMs);
  await closeQuietSessions(store, record, now, quietMs);
}
