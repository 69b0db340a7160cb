import { describe, expect, it } from "vitest";
import {
  args,
  callObservation,
  FAILED,
  NOON,
  requestObservation,
  result,
  suspensionObservation,
} from "../../../test/support/observations.ts";
import type { ResponseObservation } from "./observation.ts";
import { readObservation } from "./read-observation.ts";

const call = callObservation({ arguments: args("a"), result: result("r", FAILED), execution_time_ms: 12, model: "m" });
const { tool_count: _tools, message_count: _messages, streaming: _streaming, ...asked } = requestObservation();
const response: ResponseObservation = {
  ...asked,
  kind: "response",
  http_status: 200,
  ended: "complete",
  size_bytes: 10,
  duration_ms: 5,
  tool_call_ids: ["a"],
};
const reason = (value: unknown): string | undefined => {
  const read = readObservation(JSON.stringify(value));
  return read.kind === "rejected" ? read.reason : undefined;
};

describe("a journal line", () => {
  it.each([call, requestObservation(), response, suspensionObservation()])(
    "a line of kind $kind is parsed to the observation that was written",
    (observation) => {
      expect(readObservation(JSON.stringify(observation))).toEqual({ kind: "observation", observation });
    },
  );

  it("a line may have unknown fields, which a newer version may have written", () => {
    expect(reason({ ...call, colour: "blue", result: { ...call.result, mood: 1 } })).toBeUndefined();
  });

  it.each([
    ["not JSON", "{half"],
    ["not JSON", ""],
    ["not an object", "[]"],
    ["not an object", "null"],
    ["not an object", '"text"'],
  ])("a line is rejected with '%s': %s", (expected, line) => {
    expect(readObservation(line)).toEqual({ kind: "rejected", reason: expected });
  });

  it.each([
    [{ v: 2 }, "v is 2, expected 1"],
    [{ permission_requested: "yes" }, "permission_requested is not true"],
    [{ result: { ...result("r"), if_permission_requested: 7 } }, "if_permission_requested.status is missing"],
    [
      { result: { ...result("r"), if_permission_requested: { ...FAILED, severity: "high" } } },
      "if_permission_requested.severity is not a number",
    ],
    [{ v: { toString: 1 } }, "v is not 1"],
    [{ kind: "dance" }, "kind dance is not known"],
    [{ kind: { toString: 1 } }, "kind is not known"],
    [{ kind: undefined }, "kind undefined is not known"],
    [{ project: "" }, "project is not a valid id"],
    [{ session_id: "../x" }, "session_id is not a valid id"],
    [{ agent_id: 7 }, "agent_id is not a valid id"],
    [{ source: "rumour" }, "source is not known"],
    [{ occurred_at: "now" }, "occurred_at is not a time in ms"],
    [{ occurred_at: NOON + 0.5 }, "occurred_at is not a time in ms"],
    [{ occurred_at: -1 }, "occurred_at is not a time in ms"],
    [{ occurred_at: 8.64e15 }, "occurred_at is not a time in ms"],
    [{ seen_at: null }, "seen_at is not a time in ms"],
    [{ live: 1 }, "live is not a boolean"],
    [{ model: 7 }, "model is not a string"],
    [{ request_id: {} }, "request_id is not a string"],
    [{ tool_call_id: "" }, "tool_call_id is missing"],
    [{ place: undefined }, "place is missing"],
    [{ place: { kind: "history", conversation: "c", n: -1 } }, "place.n is not a count"],
    [{ place: { kind: "history", n: 0 } }, "place.conversation is missing"],
    [{ place: { kind: "somewhere", n: 0 } }, "place.kind is not known"],
    [{ place: { kind: "response", conversation: "c", n: 0, response_id: 7 } }, "place.response_id is not a string"],
    [{ name: [] }, "name is not a string"],
    [{ origin: {} }, "origin is not a string"],
    [{ arguments: {} }, "arguments have no fingerprint"],
    [{ arguments: { ...args("a"), size_bytes: "7" } }, "arguments.size_bytes is not a number"],
    [{ arguments: { ...args("a"), keys: { path: null } } }, "arguments.keys holds something else than strings"],
    [{ execution_time_ms: "fast" }, "execution_time_ms is not a number"],
    [{ turnaround_ms: [] }, "turnaround_ms is not a number"],
    [{ result: { outcome: FAILED } }, "result has no hash"],
    [{ result: { hash: "h" } }, "result has no outcome"],
    [{ result: { ...result("r"), size_bytes: {} } }, "result.size_bytes is not a number"],
    [{ result: { ...result("r"), outcome: { ...FAILED, status: "maybe" } } }, "outcome.status is not known"],
    [{ result: { ...result("r"), outcome: { ...FAILED, phase: {} } } }, "outcome.phase is not a string"],
    [{ result: { ...result("r"), outcome: { ...FAILED, category: 7 } } }, "outcome.category is not a string"],
    [{ result: { ...result("r"), outcome: { ...FAILED, severity: "x" } } }, "outcome.severity is not a number"],
    [
      { result: { ...result("r"), outcome: { ...FAILED, status_message: [] } } },
      "outcome.status_message is not a string",
    ],
  ])("a line is rejected with the name of the field: %j", (fields, expected) => {
    expect(reason({ ...call, ...fields })).toBe(expected);
  });

  it("a line loses NUL and lone surrogates, which PostgreSQL cannot store, and no other characters", () => {
    const line = JSON.stringify({
      ...call,
      name: "a\u0000b\ud83d",
      model: "\ud83d\ude00",
      place: { ...call.place, "\u0000": 1 },
    });
    const read = readObservation(line);
    expect(read).toMatchObject({
      observation: { name: "a\ufffdb\ufffd", model: "\ud83d\ude00", place: { kind: "history", "\ufffd": 1 } },
    });
  });

  it.each([
    [{ request_id: "" }, "request_id is missing"],
    [{ size_bytes: null }, "size_bytes is not a number"],
    [{ message_count: "3" }, "message_count is not a number"],
    [{ conversation: {} }, "conversation is not a string"],
  ])("a request is rejected with the name of the field: %j", (fields, expected) => {
    expect(reason({ ...requestObservation(), ...fields })).toBe(expected);
  });

  it.each([
    [{ tool_call_ids: "a" }, "tool_call_ids is not a list of strings"],
    [{ tool_call_ids: [{}] }, "tool_call_ids is not a list of strings"],
    [{ http_status: "200" }, "http_status is not a number"],
    [{ ended: 7 }, "ended is not a string"],
    [{ stored_response: "k" }, "stored_response is not an object"],
    [{ stored_response: { answer_key: 7 } }, "stored_response.answer_key is not a string"],
    [{ stored_response: { counts: { call_0: "2" } } }, "stored_response.counts are not counts"],
    [{ stored_response: { prompt_position: { prompt: "p" } } }, "stored_response.prompt_position has no count"],
    [
      { stored_response: { prompt_position: { count: 1, workflow: 7 } } },
      "stored_response.prompt_position.workflow is not a string",
    ],
  ])("a stored response that is not valid is rejected with the field's name: %j", (fields, expected) => {
    expect(reason({ ...response, ...fields })).toBe(expected);
  });
});
