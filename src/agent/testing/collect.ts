import type { LoopEvent, LoopResult } from "../loop/events.ts";

/** A run, whole. */
export interface CollectedRun extends LoopResult {
  readonly events: readonly LoopEvent[];
  /** All text that a user saw. */
  readonly text: string;
}

/** Runs a loop to its end and keeps everything. */
export async function collectRun(run: AsyncGenerator<LoopEvent, LoopResult, void>): Promise<CollectedRun> {
  const events: LoopEvent[] = [];
  let next = await run.next();
  for (; next.done !== true; next = await run.next()) events.push(next.value);
  const text = events.map((event) => (event.kind === "text" ? event.text : "")).join("");
  return { ...next.value, events, text };
}
