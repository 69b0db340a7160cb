import fc from "fast-check";
import type { CallObservation } from "../../src/core/model/observation.ts";
import { args, callObservation, FAILED, NOON, OK, result } from "./observations.ts";

/**
 * Raw observations of calls in two sessions: made, completed, and made again with the same id where a server reuses
 * ids.
 */
export function reusedIds(size: fc.ArrayConstraints): fc.Arbitrary<readonly CallObservation[]> {
  const callArbitrary = fc.record({
    session: fc.constantFrom("s1", "s2"),
    id: fc.constantFrom("call_0", "call_1", "toolu_01AbCdEfGhIjKl"),
    n: fc.integer({ min: 0, max: 2 }),
    settled: fc.boolean(),
    channel: fc.constantFrom("response", "history"),
  });
  return fc.array(callArbitrary, size).map((calls) =>
    calls.map(({ session, id, n, settled, channel }, at) => {
      const reused = id.startsWith("call_") ? n : 0;
      const text = `${session}-${id}-${reused}`;
      // A call is made before its result, and a later call with the same id is made later.
      const madeAt = NOON + reused * 100;
      const fields = { session_id: session, tool_call_id: id, name: "Bash", arguments: args(text) };
      return channel === "response"
        ? callObservation({
            ...fields,
            occurred_at: madeAt,
            place: { kind: "response", conversation: "c", n: reused, response_id: text },
          })
        : callObservation({
            ...fields,
            occurred_at: madeAt + 10 + at,
            place: { kind: "history", conversation: "c", n: reused },
            ...(settled && { result: result(text, reused === 1 ? OK : FAILED) }),
          });
    }),
  );
}
