import { describe, expect, it } from "vitest";
import { NOON, responseObservation } from "../../../test/support/observations.ts";
import type { UsageObservation } from "./observation.ts";
import type { TokenUsage } from "./token-usage.ts";
import { changesOfTokens, mergeUsages, responseKey, type UsageRecord, usageRecordOf } from "./usage-record.ts";

const transcript = (fields: Partial<UsageObservation> = {}): UsageObservation => ({
  ...{ v: 1, kind: "usage", project: "default", session_id: "s1", agent_id: "root", source: "transcript" },
  ...{ occurred_at: NOON, seen_at: NOON, live: false, client: "claude-code", response_id: "msg_1" },
  ...{ usage: { input_tokens: 10, output_tokens: 1 }, ...fields },
});

describe("the identity of a response", () => {
  const usage: TokenUsage = { input_tokens: 10, output_tokens: 5, cached_tokens: 4 };
  it.each([
    ["its id for Claude Code", { client: "claude-code", response_id: "msg_1" }, "msg_1"],
    ["the request for Claude Code without an id", { client: "claude-code" }, "r1"],
    ["its counts for Codex", { client: "codex", response_id: "resp_1" }, "counts/10/5/4/0"],
    ["the request for others, whose servers may reuse ids", { client: "plain", response_id: "chatcmpl-7" }, "r1"],
  ])("the identity of a response is %s", (_title, fields, expected) => {
    expect(responseKey({ ...responseObservation(), ...fields, usage })).toBe(expected);
  });
});

describe("several reports of one response", () => {
  const partial = usageRecordOf(transcript({ occurred_at: NOON - 9, model: "alias" }));
  const withTurn = usageRecordOf(transcript({ occurred_at: NOON - 5, turn: "toolu_a", agent_id: "sub" }));
  const whole = usageRecordOf({
    ...responseObservation({ client: "claude-code", response_id: "msg_1", model: "opus" }),
    usage: { input_tokens: 10, output_tokens: 25 },
  });
  const merged: UsageRecord = {
    ...{ kind: "usage-record", project: "default", session_id: "s1", response: "msg_1", at: NOON - 9 },
    agent_id: { value: "root", rank: 3, at: NOON },
    model: { value: "opus", rank: 3, at: NOON },
    request_id: { value: "r1", rank: 3, at: NOON },
    turn: { value: "toolu_a", rank: 1, at: NOON - 5 },
    usage: { input_tokens: 10, output_tokens: 25 },
  };

  it.each([
    ["partial, with its turn, whole", [partial, withTurn, whole]],
    ["partial, whole, with its turn", [partial, whole, withTurn]],
    ["with its turn, partial, whole", [withTurn, partial, whole]],
    ["with its turn, whole, partial", [withTurn, whole, partial]],
    ["whole, partial, with its turn", [whole, partial, withTurn]],
    ["whole, with its turn, partial", [whole, withTurn, partial]],
  ])("reports of one response merge to the same record in any order: %s", (_title, order) => {
    expect(order.reduce(mergeUsages)).toEqual(merged);
  });

  it("a repeated report of a response changes nothing", () => {
    expect(mergeUsages(merged, partial)).toBe(merged);
    expect(mergeUsages(merged, whole)).toBe(merged);
  });

  it("a second report of a response changes sums by the difference, without a second response", () => {
    const key = { project: "default", hour: NOON, provider: "", model_name: "" };
    const [before, after] = [usageRecordOf(transcript()), usageRecordOf(transcript({ usage: { output_tokens: 25 } }))];
    expect(changesOfTokens([{ before, after: mergeUsages(before, after), live: true }])).toEqual([
      { key: { ...key, kind: "output" }, tally: { responses: 0, tokens: 24 } },
    ]);
  });
});
