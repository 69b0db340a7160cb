import type { OnFailure } from "../../proxy/http/error-boundary.ts";

/**
 * Reports uncaught exceptions as failures instead of ending the process. For `toolmend start` only: a program that embeds the server decides
 * itself. Error boundaries contain the failures of exchanges; this catches what escapes them. Returns a function that undoes it.
 */
export function containUncaught(onFailure: OnFailure): () => void {
  const contain = (error: unknown): void => {
    try {
      onFailure("uncaught", error);
    } catch {
      // The log cannot be written either. An exception here would end the process.
    }
  };
  // Also receives unhandled rejections.
  process.on("uncaughtException", contain);
  return () => process.off("uncaughtException", contain);
}
