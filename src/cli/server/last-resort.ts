import type { OnFailure } from "../../proxy/http/error-boundary.ts";

/**
 * For a process that is ours alone. Failures of exchanges are contained where they happen; should one escape all the same, it is counted and
 * logged, and the other exchanges go on. Returns how to stop.
 */
export function containUncaught(onFailure: OnFailure): () => void {
  const contain = (error: unknown): void => {
    try {
      onFailure("uncaught", error);
    } catch {
      // Not even the log can be written: an exception here would end the process.
    }
  };
  // Rejected promises that nobody handles come here too.
  process.on("uncaughtException", contain);
  return () => process.off("uncaughtException", contain);
}
