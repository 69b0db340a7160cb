import { onTestFinished } from "vitest";
import { startBoth } from "./running.ts";

export type Both = Awaited<ReturnType<typeof startBoth>>;

/** Starts the scripted provider with the real server in front of it, until the end of the test. */
export async function startForTest(...options: Parameters<typeof startBoth>): Promise<Both> {
  const both = await startBoth(...options);
  onTestFinished(() => both.close());
  return both;
}
