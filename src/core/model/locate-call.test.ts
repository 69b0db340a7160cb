import { describe, expect, it } from "vitest";
import { args, callObservation, NOON, result } from "../../../test/support/observations.ts";
import type { CallRecord } from "./call-record.ts";
import { assignToCall, isReusableId, sameCall } from "./locate-call.ts";
import { recordOf } from "./merge.ts";
import type { CallLocation, CallObservation } from "./observation.ts";

describe("isReusableId", () => {
  it.each([
    ["call_0", true],
    ["call_17", true],
    ["call-3", true],
    ["functions.bash:1", true],
    ["functions.read_file:12", true],
    ["functions.mcp__context7__search:3", true],
    ["7", true],
    ["tool.2", true],
    ["toolu_01A09q90qw90lq917835lq9", false],
    ["call_abc123def456ghi789jkl012", false],
    ["chatcmpl-tool-3f2a9c1b7d8e4f5a", false],
    ["call_20261115", false],
    ["3f2a9c1b-7d8e-4f5a-9c1b-7d8e4f5a0001", false],
    ["fc_68d1_12", false],
    ["abc", false],
    ["", false],
  ])("returns for %s: %s", (id, reusable) => {
    expect(isReusableId(id)).toBe(reusable);
  });
});

const RANDOM = "toolu_01A09q90qw90lq917835lq9";
const history = (n: number, conversation = "c1"): CallLocation => ({ kind: "history", conversation, n });
const response = (n: number, response_id: string, conversation = "c1"): CallLocation => ({
  kind: "response",
  conversation,
  n,
  response_id,
});
const seen = (fields: Partial<CallObservation>): CallRecord => {
  const observation = callObservation(fields);
  const { project, session_id, agent_id, tool_call_id } = observation;
  return recordOf(observation, { project, session_id, agent_id, tool_call_id, occurrence: 0 });
};

describe("two observations of one id", () => {
  it.each<[string, boolean, Partial<CallObservation>, Partial<CallObservation>]>([
    ["the same place", true, { place: history(0) }, { place: history(0), result: result("r") }],
    ["two places of one conversation", false, { place: history(0) }, { place: history(1) }],
    ["response and history at one place", true, { place: response(0, "m1") }, { place: history(0) }],
    ["two responses", false, { place: response(0, "m1") }, { place: response(0, "m2", "c2") }],
    ["a hook", true, { place: { kind: "newest" } }, { place: history(3) }],
    ["different names at the client", false, { place: history(0), name: "A" }, { place: history(0, "c2"), name: "B" }],
    [
      "a name that only the model used",
      true,
      { place: response(0, "m"), name: "A" },
      { place: history(0), name: "invalid" },
    ],
    [
      "different arguments at the client",
      false,
      { place: history(0), arguments: args("a") },
      { place: history(0, "c2"), arguments: args("b") },
    ],
    ["another conversation without further facts", false, { place: history(0) }, { place: history(0, "c2") }],
    ["a transcript with the same number", true, { place: history(2) }, { place: { kind: "exact", n: 2 } }],
    ["a transcript with another number", false, { place: history(2) }, { place: { kind: "exact", n: 1 } }],
    [
      "the same result in another conversation",
      true,
      { place: history(0), result: result("r") },
      { place: history(4, "c2"), result: result("r") },
    ],
    [
      "another result in another conversation",
      false,
      { place: history(0), result: result("r") },
      { place: history(0, "c2"), result: result("s") },
    ],
    [
      "a response after a history with the call",
      false,
      { place: history(0, "c2"), occurred_at: NOON },
      { place: response(0, "m"), occurred_at: NOON + 5 },
    ],
  ])("two observations with a counter id, %s: are one call is %s", (_what, same, a, b) => {
    const [one, other] = [seen({ tool_call_id: "call_0", ...a }), seen({ tool_call_id: "call_0", ...b })];
    expect(sameCall(one, other)).toBe(same);
    expect(sameCall(other, one)).toBe(same);
  });

  it.each<[string, boolean, Partial<CallObservation>, Partial<CallObservation>]>([
    ["another conversation", true, { place: history(0) }, { place: history(0, "c2") }],
    [
      "a result that the client has cleared",
      true,
      { place: history(0), result: result("long") },
      { place: history(0, "c2"), result: result("[cleared]") },
    ],
    ["two places of one conversation", false, { place: history(0) }, { place: history(1) }],
    ["two responses", false, { place: response(0, "m1") }, { place: response(0, "m2", "c2") }],
  ])("two observations with a random id, %s: are one call is %s", (_what, same, a, b) => {
    const [one, other] = [seen({ tool_call_id: RANDOM, ...a }), seen({ tool_call_id: RANDOM, ...b })];
    expect(sameCall(one, other)).toBe(same);
    expect(sameCall(other, one)).toBe(same);
  });
});

describe("assignToCall", () => {
  const place = (...observations: readonly Partial<CallObservation>[]): readonly CallRecord[] =>
    observations.reduce<readonly CallRecord[]>(
      (group, fields) => assignToCall(group, callObservation({ tool_call_id: "call_0", ...fields })),
      [],
    );
  const told = (group: readonly CallRecord[]): unknown =>
    group.map(({ key, facts, places }) => [key.occurrence, facts.name?.value, places]);

  it("numbers calls by their first occurrence, not by their arrival", () => {
    const first = { place: history(0), name: "Read", occurred_at: NOON };
    const second = { place: history(1), name: "Bash", occurred_at: NOON + 10 };
    const expected = [
      [0, "Read", ["c1/0"]],
      [1, "Bash", ["c1/1"]],
    ];
    expect(told(place(first, second))).toEqual(expected);
    expect(told(place(second, first))).toEqual(expected);
    expect(told(place(second, first, second, first))).toEqual(expected);
  });

  it("assigns a hook event to the newest call that had started by then", () => {
    const calls = [
      { place: history(0), occurred_at: NOON },
      { place: history(1), occurred_at: NOON + 100 },
    ];
    const hook = (at: number): Partial<CallObservation> => ({
      source: "hook",
      place: { kind: "newest" },
      occurred_at: at,
      execution_time_ms: 7,
    });
    const timed = (group: readonly CallRecord[]): unknown => group.map(({ facts }) => facts.execution_time_ms?.value);
    expect(timed(place(...calls, hook(NOON + 50)))).toEqual([7, undefined]);
    expect(timed(place(...calls, hook(NOON + 150)))).toEqual([undefined, 7]);
    expect(timed(place(...calls, hook(NOON - 50)))).toEqual([7, undefined]);
  });

  it("joins two records that turn out to be one call", () => {
    const group = place(
      { place: { kind: "exact", n: 0 }, source: "transcript" },
      { place: history(0, "c2"), result: result("r") },
      { place: { kind: "exact", n: 0 }, source: "transcript", result: result("r") },
    );
    expect(group).toHaveLength(1);
    expect(group[0]).toMatchObject({ places: ["/0", "c2/0"], sources: ["proxy", "transcript"] });
  });
});
