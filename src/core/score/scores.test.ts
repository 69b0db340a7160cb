import { describe, expect, it } from "vitest";
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
import { findDominantFailureMode } from "./scores.ts";

const tally = (ok: number, failed: number, unknown = 0) => ({ calls: ok + failed + unknown, ok, failed, unknown });
const counts = (ok: number, failed: number, excused = 0, unrecovered = 0) => ({
  ...tally(ok, failed),
  excused,
  unrecovered,
});

describe("the scores of a call", () => {
  it("scores of a call contain its success, and for a failure the category, severity and whether the preceding call failed", () => {
    expect(scoreCall({ status: "ok" })).toEqual({ tool_success: 1 });
    expect(scoreCall({ status: "failed", category: "timeout", severity: 0.75, is_cascade_failure: true })).toEqual({
      ...{ tool_success: 0, failure_category: "timeout", error_severity: 0.75, is_cascade_failure: 1 },
    });
  });

  it("scores of a call without a severity have that of the category", () => {
    expect(scoreCall({ status: "failed", category: "timeout" })?.error_severity).toBe(0.75);
    expect(scoreCall({ status: "failed", category: "timeout", severity: null })?.error_severity).toBe(0.75);
    expect(scoreCall({ status: "failed", category: "timeout", severity: 0 })?.error_severity).toBe(0);
  });

  it("scores of a call default to 0 for the cascade score and to 0.5 for the severity", () => {
    expect(scoreCall({ status: "failed" })).toEqual({
      ...{ tool_success: 0, failure_category: "failed", error_severity: 0.5, is_cascade_failure: 0 },
    });
  });

  it.each(["unknown", "pending"] as const)("scores of a call stay undefined while its status is %s", (status) => {
    expect(scoreCall({ status })).toBeUndefined();
    expect(listScores("o", undefined)).toEqual([]);
  });

  it("ids of scores derive from the record id and the name only", () => {
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

  it("scores of a session without calls are a success rate of 1, healthy, and no dominant failure", () => {
    expect(scoreSession([])).toEqual({
      session_success_rate: 1,
      session_health: "healthy",
      session_rate_health: "insufficient",
    });
  });

  it("scores of a session whose only call waits for a result are those of a call without a known status", () => {
    expect(scoreSession([{ status: "pending" }])).toEqual({
      session_health: "insufficient",
      session_rate_health: "insufficient",
    });
  });

  it("scores of a session without any known status have no rate and insufficient health", () => {
    expect(scoreSession([{ status: "unknown" }, { status: "pending" }])).toEqual({
      session_health: "insufficient",
      session_rate_health: "insufficient",
    });
  });

  it("3 failures of 4 calls and 3 of 500 are rated equally by count and differently by rate", () => {
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

  it("follow-ons, retries and refusals count as failures, but not as unrecovered", () => {
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
])("health by count of %j is %s", (of, expected) => {
  expect(sessionHealth(of)).toBe(expected);
});

it.each([
  [counts(4, 0), "insufficient"],
  [counts(5, 0), "healthy"],
  [counts(4, 9, 9), "insufficient"],
  [counts(91, 9), "healthy"],
  [counts(90, 10), "degraded"],
  [counts(99, 1, 0, 1), "degraded"],
  [counts(71, 29, 0, 2), "degraded"],
  [counts(70, 30), "unhealthy"],
  [counts(497, 3, 0, 3), "unhealthy"],
  [counts(5, 50, 50), "healthy"],
])("health by rate of %j is %s", (of, expected) => {
  expect(rateHealth(of)).toBe(expected);
});

it("health by rate uses the given thresholds", () => {
  expect(rateHealth(counts(2, 1), { ...HEALTH_THRESHOLDS, min_calls: 3, unhealthy_from: 0.5 })).toBe("degraded");
});

it.each([
  [{}, undefined],
  [{ timeout: 0 }, undefined],
  [{ timeout: 2, exit_code: 3 }, "exit_code"],
  [{ timeout: 2, exit_code: 2, error: 1 }, "exit_code"],
  [{ exit_code: 2, timeout: 2 }, "exit_code"],
])("the dominant failure of %j is %s, with ties in alphabetical order", (counts, expected) => {
  expect(findDominantFailureMode(counts)).toBe(expected);
});

describe("the comparison of failure rates", () => {
  it("the comparison gives a wider interval for fewer calls", () => {
    expect(wilsonInterval(0, 0)).toBeNull();
    expect(wilsonInterval(3, 3)?.map((one) => one.toFixed(3))).toEqual(["0.439", "1.000"]);
    expect(wilsonInterval(5, 10)?.map((one) => one.toFixed(3))).toEqual(["0.237", "0.763"]);
    expect(wilsonInterval(0, 1000)?.map((one) => one.toFixed(4))).toEqual(["0.0000", "0.0038"]);
  });

  it("the comparison ranks by excess failures, not by counts or rates", () => {
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

describe("chainContext", () => {
  it("counts positions and includes the preceding tool, separately for every thread", () => {
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
    ["a path within both commands", { resources: ["target:x"] }, { resources: ["target:x"] }, false],
    ["4 of 5 equal keys", { keys: keys("abcd1") }, { keys: keys("abcd2") }, true],
    ["3 of 4 equal keys", { keys: keys("abc1") }, { keys: keys("abc2") }, false],
    ["4 equal keys and one more", { keys: keys("abcd") }, { keys: keys("abcde") }, true],
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

  it("counts retries, but not of a successful call or of another tool", () => {
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

describe("the prompts of a failure and a later one", () => {
  const failed = (id: string, tool: string, prompt?: string): ChainCall => ({
    ...{ id, tool, status: "failed", arguments: { fingerprint: id, keys: {}, resources: ["path:x"] } },
    ...(prompt !== undefined && { prompt }),
  });
  const uuid = "0b5e7c1a-7c1c-4a51-9d5e-3f3c3f0f9a11";

  it.each([
    ["one prompt", uuid, uuid, true],
    ["two prompts with ids of the client", uuid, "prompt-2", false],
    ["two prompts by index in the history", "0-9f3a21bc04de", "1-9f3a21bc04de", false],
    ["two prompts by number", "1", "2", false],
    ["an id of the client and an index in the history", uuid, "0-9f3a21bc04de", true],
    ["a number of a transcript and an index in the history", "1", "0-9f3a21bc04de", true],
    ["a hash of a hook and an id of the client", "00112233445566ff", uuid, true],
    ["one unknown prompt", undefined, uuid, true],
  ])("a follow-on is allowed with %s (%s, %s): %s", (_what, first, second, follows) => {
    const [, link] = chainContext([failed("1", "Write", first), failed("2", "Read", second)]);
    expect(link?.links.cascade_of).toBe(follows ? "1" : undefined);
  });
});

/** One key per letter; a digit is a value that differs. */
function keys(letters: string): Record<string, string> {
  return Object.fromEntries([...letters].map((one) => (/\d/.test(one) ? ["last", one] : [one, one])));
}
