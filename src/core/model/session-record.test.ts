import { describe, expect, it } from "vitest";
import { callObservation, NOON, requestObservation } from "../../../test/support/observations.ts";
import type { Observation } from "./observation.ts";
import { addTally, addToSession, EMPTY_TALLY, failureRate, type SessionRecord, sessionOf } from "./session-record.ts";

const tally = (ok: number, failed: number, unknown = 0): typeof EMPTY_TALLY => ({
  ...EMPTY_TALLY,
  ...{ calls: ok + failed + unknown, ok, failed, unknown },
});

it.each([
  [tally(0, 0), null],
  [tally(0, 0, 5), null],
  [tally(3, 1), 0.25],
  [tally(3, 1, 100), 0.25],
  [tally(0, 2), 1],
  [tally(2, 0), 0],
])("the failure rate of %j is %s, without unknown calls", (of, expected) => {
  expect(failureRate(of)).toBe(expected);
});

it("tallies can be added and subtracted", () => {
  const sum = addTally(tally(1, 2, 3), { ...tally(1, 0), soft: 1 });
  expect(sum).toEqual({ ...EMPTY_TALLY, calls: 7, ok: 2, failed: 2, unknown: 3, soft: 1 });
  expect(addTally(sum, sum, -1)).toEqual(EMPTY_TALLY);
});

function told(first: Observation, ...others: readonly Observation[]): SessionRecord {
  const session = sessionOf(first);
  for (const one of others) addToSession(session, one);
  return session;
}

describe("a session", () => {
  it("a session spans the times of its observations and lists their sources", () => {
    const merged = told(
      callObservation({ occurred_at: NOON + 5, source: "hook" }),
      requestObservation({ occurred_at: NOON }),
    );
    expect(merged).toMatchObject({ started_at: NOON, last_at: NOON + 5, sources: ["hook", "proxy"] });
  });

  it("a session has the model of its last response, not of a later request", () => {
    const answered = callObservation({
      model: "real",
      place: { kind: "response", conversation: "c", n: 0, response_id: "m" },
    });
    const asked = requestObservation({ model: "wished", occurred_at: NOON + 5 });
    const replayed = callObservation({ model: "replayed", occurred_at: NOON + 9 });
    expect(told(answered, asked, replayed).model_used?.value).toBe("real");
    expect(told(replayed, asked, answered).model_used?.value).toBe("real");
    expect(sessionOf(asked).model_used?.value).toBe("wished");
  });
});
