import { onTestFinished } from "vitest";
import { startBoth } from "./running.ts";

export type Both = Awaited<ReturnType<typeof startBoth>>;

/** Starts the scripted provider with the real server in front of it, until the end of the test or `server.close()`. */
export async function startForTest(...options: Parameters<typeof startBoth>): Promise<Both> {
  const both = await startBoth(...options);
  let isStopped = false;
  onTestFinished(() => (isStopped ? both.upstream.close() : both.close()));
  const close = (): Promise<void> => {
    isStopped = true;
    return both.server.close();
  };
  return { ...both, server: { ...both.server, close } };
}
