import { addTally, EMPTY_TALLY, failureRate, type Tally } from "../core/model/session-record.ts";
import type { CallOrigin } from "../core/model/tool-call.ts";
import type { OriginRow } from "./port.ts";

/** Phases in which the client did not run the call at all. */
const NOT_RUN = new Set(["call", "gate"]);

export function originRow(
  origin: CallOrigin,
  tallies: readonly (Tally & { readonly phase: string })[],
  pending: number,
  discarded: number,
): OriginRow {
  const tally = tallies.reduce<Tally>((sum, one) => addTally(sum, one), EMPTY_TALLY);
  const refused = tallies.filter(({ phase }) => NOT_RUN.has(phase)).reduce((sum, { failed }) => sum + failed, 0);
  const { calls, ok, failed, unknown, soft } = tally;
  return { origin, calls, ok, failed, unknown, soft, failure_rate: failureRate(tally), refused, pending, discarded };
}
