import { describe, expect, it } from "vitest";
import { findDominantFailureMode } from "./dominant-failure.ts";
import { compareToOverall, wilsonInterval } from "./excess.ts";
import { HEALTH_THRESHOLDS, rateHealth, sessionHealth } from "./health.ts";
import {
  type ChainCall,
  chainContext,
  listScores,
  type ScoredCall,
  scoreCall,
  scoreId,
  scoreSession,
} from "./index.ts";

const tally = (ok: number, failed: number, unknown = 0) => ({ calls: ok + failed + unknown, ok, failed, unknown });
const figures = (ok: number, failed: number, excused = 0, unrecovered = 0) => ({
  ...tally(ok, failed),
  excused,
  unrecovered,
});

describe("the scores of a call", () => {
  it("are its success, and of a failure also category, severity and whether it came after another", () => {
    expect(scoreCall({ status: "ok" })).toEqual({ tool_success: 1 });
    expect(scoreCall({ status: "failed", category: "timeout", severity: 0.75, is_cascade_failure: true })).toEqual({
      ...{ tool_success: 0, failure_category: "timeout", error_severity: 0.75, is_cascade_failure: 1 },
    });
  });

  it("say 0, not nothing, of a primary failure, and 0.5 where no severity is known", () => {
    expect(scoreCall({ status: "failed" })).toEqual({
      ...{ tool_success: 0, failure_category: "failed", error_severity: 0.5, is_cascade_failure: 0 },
    });
  });

  it.each(["unknown", "pending"] as const)("do not exist while its outcome is %s", (status) => {
    expect(scoreCall({ status })).toBeUndefined();
    expect(listScores("o", undefined)).toEqual([]);
  });

  it("K4: have the id of their observation and name, whoever computes them, however often", () => {
    expect(scoreId("0123456789abcdef", "tool_success")).toBe("0123456789abcdef-tool_success");
    expect(listScores("o1", scoreCall({ status: "ok" }))).toEqual([
      { id: "o1-tool_success", name: "tool_success", data_type: "BOOLEAN", value: 1 },
    ]);
  });
});

describe("the scores of a session", () => {
  const failed = (category: ScoredCall["category"], more: Partial<ScoredCall> = {}): ScoredCall => ({
    status: "failed",
    ...(category !== undefined && { category }),
    ...more,
  });

  it("of no calls are a rate of 1, healthy, and no dominant failure", () => {
    expect(scoreSession([])).toEqual({
      session_success_rate: 1,
      session_health: "healthy",
      session_rate_health: "insufficient",
    });
  });

  it("of calls without a verdict have no rate: no data is not health", () => {
    expect(scoreSession([{ status: "unknown" }, { status: "pending" }])).toEqual({
      session_health: "insufficient",
      session_rate_health: "insufficient",
    });
  });

  it("K20: are the same count but not the same rate for 3 failures of 4 and 3 of 500", () => {
    const three = [failed("timeout"), failed("timeout"), failed("exit_code")].map((call) => ({
      ...call,
      recovered_by: "later",
    }));
    const few = scoreSession([...three, { status: "ok" }]);
    const many = scoreSession([...three, ...Array.from({ length: 497 }, () => ({ status: "ok" }) as const)]);
    expect([few.session_health, many.session_health]).toEqual(["unhealthy", "unhealthy"]);
    expect([few.session_rate_health, many.session_rate_health]).toEqual(["insufficient", "healthy"]);
    expect(many).toMatchObject({ session_success_rate: 1 - 3 / 500, dominant_failure_mode: "timeout" });
  });

  it("count a follow-on, a retry and a denial as failures, but not as something left unrecovered", () => {
    const ok = Array.from({ length: 96 }, () => ({ status: "ok" }) as const);
    const calls = [
      failed("not_found", { cascade_of: "r" }),
      failed("not_found", { retry_of: "r" }),
      failed("permission_denied", { phase: "gate" }),
      failed("cancelled"),
    ];
    expect(scoreSession([...ok, ...calls])).toMatchObject({
      session_health: "unhealthy",
      session_rate_health: "healthy",
    });
    expect(scoreSession([...ok, failed("not_found")])).toMatchObject({ session_rate_health: "degraded" });
  });
});

it.each([
  [tally(0, 0), "healthy"],
  [tally(9, 0), "healthy"],
  [tally(0, 0, 3), "insufficient"],
  [tally(1, 0, 3), "healthy"],
  [tally(100, 1), "degraded"],
  [tally(0, 2), "degraded"],
  [tally(100, 3), "unhealthy"],
  [tally(0, 50), "unhealthy"],
])("the health of %j by count is %s", (of, expected) => {
  expect(sessionHealth(of)).toBe(expected);
});

it.each([
  [figures(4, 0), "insufficient"],
  [figures(5, 0), "healthy"],
  [figures(4, 9, 9), "insufficient"],
  [figures(91, 9), "healthy"],
  [figures(90, 10), "degraded"],
  [figures(99, 1, 0, 1), "degraded"],
  [figures(71, 29, 0, 2), "degraded"],
  [figures(70, 30), "unhealthy"],
  [figures(497, 3, 0, 3), "unhealthy"],
  [figures(5, 50, 50), "healthy"],
])("the health of %j by rate is %s", (of, expected) => {
  expect(rateHealth(of)).toBe(expected);
});

it("thresholds of the health by rate can be set", () => {
  expect(rateHealth(figures(2, 1), { ...HEALTH_THRESHOLDS, min_calls: 3, unhealthy_from: 0.5 })).toBe("degraded");
});

it.each([
  [{}, undefined],
  [{ timeout: 0 }, undefined],
  [{ timeout: 2, exit_code: 3 }, "exit_code"],
  [{ timeout: 2, exit_code: 2, error: 1 }, "exit_code"],
  [{ exit_code: 2, timeout: 2 }, "exit_code"],
])("the dominant failure of %j is %s: ties go by the alphabet", (counts, expected) => {
  expect(findDominantFailureMode(counts)).toBe(expected);
});

describe("what a rate is worth", () => {
  it("is an interval that few calls leave wide", () => {
    expect(wilsonInterval(0, 0)).toBeNull();
    expect(wilsonInterval(3, 3)?.map((one) => one.toFixed(3))).toEqual(["0.439", "1.000"]);
    expect(wilsonInterval(5, 10)?.map((one) => one.toFixed(3))).toEqual(["0.237", "0.763"]);
    expect(wilsonInterval(0, 1000)?.map((one) => one.toFixed(4))).toEqual(["0.0000", "0.0038"]);
  });

  it("ranks by what is failing beyond the ordinary, not by counts or rates", () => {
    const often = { ok: 900, failed: 100, excused: 0 };
    const always = { ok: 0, failed: 3, excused: 0 };
    const denied = { ok: 50, failed: 50, excused: 50 };
    const all = { ok: 950, failed: 153, excused: 50 };
    expect(compareToOverall(often, all)).toMatchObject({ judged: 1000, failures: 100, rate: 0.1 });
    expect(compareToOverall(often, all).excess).toBeCloseTo(100 - (1000 * 103) / 1053);
    expect(compareToOverall(always, all).excess).toBeCloseTo(3 - (3 * 103) / 1053);
    expect(compareToOverall(denied, all)).toMatchObject({ judged: 50, failures: 0, rate: 0 });
    expect(compareToOverall({ ok: 0, failed: 0, excused: 0 }, { ok: 0, failed: 0, excused: 0 })).toEqual({
      ...{ judged: 0, failures: 0, rate: null, interval: null, excess: 0 },
    });
  });
});

describe("the chain of a thread", () => {
  it("counts positions, remembers the tool before, and starts anew with every thread", () => {
    const chain = chainContext([
      { id: "1", tool: "Read", status: "ok" },
      { id: "2", tool: "Bash", status: "failed", turn: "t" },
      { id: "3", tool: "Edit", status: "failed", turn: "t" },
      { id: "4", tool: "Edit", status: "failed" },
      { id: "5", tool: "Edit", status: "unknown" },
      { id: "6", tool: "Edit", status: "failed" },
    ]);
    expect(chain.map((one) => [one.position, one.precedingTool, one.precedingSuccess, one.isCascadeFailure])).toEqual([
      [0, undefined, undefined, false],
      [1, "Read", true, false],
      [1, "Read", true, false],
      [2, "Edit", false, true],
      [3, "Edit", false, false],
      [4, "Edit", undefined, false],
    ]);
  });

  it.each([
    ["equal arguments", { fingerprint: "a" }, { fingerprint: "a" }, true],
    ["the same file", { resources: ["path:x"] }, { resources: ["path:x", "end:y"] }, true],
    ["a path inside both commands", { resources: ["target:x"] }, { resources: ["target:x"] }, false],
    ["4 of 5 equal keys", { keys: keys("abcd1") }, { keys: keys("abcd2") }, true],
    ["3 of 4 equal keys", { keys: keys("abc1") }, { keys: keys("abc2") }, false],
    ["one key more in 4", { keys: keys("abcd") }, { keys: keys("abcde") }, true],
    ["nothing in common", {}, {}, false],
  ])("a call after a failure is a retry when it has %s", (_what, one, other, expected) => {
    const call = (id: string, args: object): ChainCall => ({
      id,
      tool: "Edit",
      status: "failed",
      arguments: { fingerprint: id, keys: {}, resources: [], ...args },
    });
    const [, second] = chainContext([call("1", one), call("2", other)]);
    expect(second).toMatchObject({ isRetry: expected, retryCount: Number(expected) });
  });

  it("does not call it a retry after a success, or of another tool, and counts tries", () => {
    const args = { fingerprint: "same", keys: {}, resources: [] };
    const chain = chainContext([
      { id: "1", tool: "Bash", status: "failed", arguments: args },
      { id: "2", tool: "Read", status: "failed", arguments: args },
      { id: "3", tool: "Bash", status: "failed", arguments: args },
      { id: "4", tool: "Bash", status: "ok", arguments: args },
      { id: "5", tool: "Bash", status: "failed", arguments: args },
    ]);
    expect(chain.map(({ links }) => [links.retry_of, links.retry_count, links.recovered_by])).toEqual([
      [undefined, 0, "4"],
      [undefined, 0, undefined],
      ["1", 1, "4"],
      ["3", 2, undefined],
      [undefined, 0, undefined],
    ]);
  });
});

describe("a follow-on and the message it works on", () => {
  const failed = (id: string, tool: string, prompt?: string): ChainCall => ({
    ...{ id, tool, status: "failed", arguments: { fingerprint: id, keys: {}, resources: ["path:x"] } },
    ...(prompt !== undefined && { prompt }),
  });
  const uuid = "0b5e7c1a-7c1c-4a51-9d5e-3f3c3f0f9a11";

  it.each([
    ["of one message", uuid, uuid, true],
    ["of two messages by the client's ids", uuid, "prompt-2", false],
    ["of two messages by their place in the history", "0-9f3a21bc04de", "1-9f3a21bc04de", false],
    ["of two messages by their number", "1", "2", false],
    ["of which one was told by the client and one read from the history", uuid, "0-9f3a21bc04de", true],
    ["of which one is a number in a transcript and one was read from the history", "1", "0-9f3a21bc04de", true],
    ["of which one is a hash of a hook's words and one was told by the client", "00112233445566ff", uuid, true],
    ["of which one is not known", undefined, uuid, true],
  ])("are %s: %s, %s", (_what, first, second, follows) => {
    const [, link] = chainContext([failed("1", "Write", first), failed("2", "Read", second)]);
    expect(link?.links.cascade_of).toBe(follows ? "1" : undefined);
  });
});

/** A key for each letter; a digit stands for a value that differs. */
function keys(letters: string): Record<string, string> {
  return Object.fromEntries([...letters].map((one) => (/\d/.test(one) ? ["last", one] : [one, one])));
}
