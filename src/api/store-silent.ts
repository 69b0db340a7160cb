import { setTimeout } from "node:timers/promises";
import { isLostConnection } from "../store/postgres/problems.ts";

/** While the store takes nothing it may not even say so: nobody waits long for its answers then. */
const PATIENCE_MS = 3000;

/** Never resolves, and gives up after a while. */
export async function patience(): Promise<never> {
  await setTimeout(PATIENCE_MS, undefined, { ref: false });
  throw new Error("no answer in time");
}

/** Why there is no answer, and what it means; `problem` is what the recorder knows about it. */
export function storeSilent(error: unknown, problem: string | null): string {
  const reason = problem ?? (isLostConnection(error) ? (error as Error).message : undefined);
  if (reason === undefined) return "The store could not answer. `toolmend doctor` says more.";
  return `The store is away: ${reason}. Requests are forwarded all the same, and what they show waits in the journal until the store is back.`;
}
