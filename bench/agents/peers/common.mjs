// Shared by the scripts of all libraries: `node PEER.mjs URL SITUATION`. Each prints one line of JSON.
import { z } from "zod";

export const [, , url, situation] = process.argv;
export const PROMPT = "What is the weather in Paris?";
/** The tool's time limit, for libraries that have one. */
export const LIMIT_MS = 300;
export const input = z.object({ city: z.string() });

let runs = 0;

/** The tool of each situation. */
export function weather({ city }) {
  runs += 1;
  if (situation === "secret" || situation === "same call") {
    throw new Error("connect failed: postgres://admin:s3cret@db.internal/weather");
  }
  // Ignores every signal.
  if (situation === "hung tool") return new Promise((resolve) => setTimeout(resolve, 60_000));
  return `It is sunny in ${city}.`;
}

/** Runs the library's agent and reports how it ended. */
export async function report(start) {
  const startedAt = Date.now();
  let end;
  try {
    end = { text: String((await start()) ?? "") };
  } catch (error) {
    end = { error: String(error?.message ?? error) };
  }
  process.stdout.write(`${JSON.stringify({ ...end, runs, ms: Date.now() - startedAt })}\n`, () => process.exit(0));
}
