import { expect, it } from "vitest";
import { NOON } from "../../../test/support/observations.ts";
import { knownFields } from "./known-fields.ts";
import { CallObserver, type RawCallObservation } from "./observe-call.ts";

const rawCall: RawCallObservation = {
  ...{ v: 1, project: "default", session_id: "s1", agent_id: "root", source: "transcript", occurred_at: NOON },
  ...{
    seen_at: NOON,
    live: false,
    request_id: "r",
    model: "m",
    provider: "p",
    client: "claude-code",
    api: "anthropic",
  },
  ...{ tool_call_id: "t1", place: { kind: "exact", n: 1 }, name: "Bash", origin: "recovered", format: "f" },
  ...{
    repairs: ["a"],
    execution_time_ms: 1,
    turnaround_ms: 2,
    turn: "t1",
    turn_index: 0,
    prompt: "p1",
    workflow: "test",
  },
  arguments: { command: "cat /etc/hosts", path: "/etc/hosts" },
  result: { content: "Exit code 2\ncat: no", is_error: true },
};

it("every field of an observation made by Toolmend is kept", () => {
  for (const capture of ["none", "errors", "full"] as const) {
    const observation = new CallObserver({ capture, salt: "s" }).observe(rawCall);
    expect(knownFields(observation)).toEqual(observation);
    expect(new CallObserver({ capture, salt: "other" }).admit(observation)).toEqual(observation);
  }
});

it("unknown fields are dropped and long values truncated", () => {
  const observation = new CallObserver({ capture: "errors", salt: "s" }).observe(rawCall);
  const stuffed = {
    ...observation,
    note: "WORDS",
    model: "m".repeat(9000),
    arguments: {
      ...observation.arguments,
      raw: "WORDS",
      keys: { a: "W".repeat(900), b: { c: "WORDS" } },
      resources: [1, "r".repeat(900)],
    },
    result: { ...observation.result, text: "WORDS", outcome: { ...observation.result?.outcome, text: "WORDS" } },
  };
  const text = JSON.stringify(knownFields(stuffed as unknown as typeof observation));
  expect(text).not.toContain("WORDS");
  expect(text.length).toBeLessThan(2500);
});
