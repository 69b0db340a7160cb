import { describe, expect, it } from "vitest";
import { digest } from "./digest.ts";
import { resultDigest } from "./result-digest.ts";

describe("results that say the same", () => {
  it.each([
    ["2 passed in 0.31s", "2 passed in 12.02s"],
    ["took 15 ms", "took 1203 ms"],
    ["built at 2026-01-02T10:11:12.345Z", "built at 2026-11-30T23:59:59Z"],
    ["now 10:11", "now 22:59"],
    ["request 5f0c1a77-9f5e-4c55-a7cb-0d6a3a1b7e11", "request 0a0c1a77-9f5e-4c55-a7cb-0d6a3a1b7e99"],
    ["<Job object at 0x7f11c2d3>", "<Job object at 0x7faa12bb9>"],
    ["Widget@1a2b3c started, pid 812", "Widget@9f8e7d started, pid 90211"],
    ["commit 9fceb02d0ae", "commit 1ab2c3d4e5f"],
    ["\u001b[31mfailed\u001b[0m", "failed"],
    ["a\r\n  b", "a b"],
    [
      "ok\n\n<system-reminder>\n<total_tokens>9123 tokens left</total_tokens>\n</system-reminder>",
      "ok\n\n<system-reminder>\n<total_tokens>8001 tokens left</total_tokens>\n</system-reminder>",
    ],
    ["ok\n<shellId: 4 completed with exit code 0>", "ok\n<shellId: 11 completed with exit code 0>"],
    ["Chunk ID: 8a1f22\nWall time: 0.05 seconds\nOutput:\nok", "Chunk ID: ffeed1\nWall time: 1.2 seconds\nOutput:\nok"],
    ['{"id":"req_01HZX9K2QWERTY12","ok":true}', '{"id":"req_77ABX9K2QWERTY99","ok":true}'],
    ["see log/2026-01-02T10_11_12_345Z-debug.log", "see log/2026-01-02T10_13_59_001Z-debug.log"],
    ["[1] 4711\nserver stopped", "[1] 90210\nserver stopped"],
    ["start pid=4711", "start pid=90210"],
    ["real\t0m3.396s", "real\t1m0.2s"],
    ["wrote /tmp/tmpab12cd34/out", "wrote /tmp/tmp_x9y8z7w/out"],
    ['{"exit_code": 0, "duration_seconds": 2.4}', '{"exit_code": 0, "duration_seconds": 11.25}'],
    ['{"duration_ms":24}', '{"duration_ms":31}'],
    ["stamp 1763300000123", "stamp 1763300004567"],
  ])("the results %j and %j are equal", (one, other) => {
    expect(resultDigest(one)).toBe(resultDigest(other));
  });
});

describe("results with news", () => {
  it.each([
    ["3 failed", "2 failed"],
    ["line 12", "line 13"],
    ["version 1.2.3", "version 1.2.4"],
    ["price 1234567", "price 1234568"],
    ["status: running", "status: done"],
    ["deface", "facade"],
  ])("the results %j and %j differ", (one, other) => {
    expect(resultDigest(one)).not.toBe(resultDigest(other));
  });
});

it("a digest takes linear time on texts made to slow it down", () => {
  for (const piece of ["a", "1", "a1", "\u001b[", "12:", "0x", "f-", "2026-"]) {
    const start = performance.now();
    resultDigest(piece.repeat(1_000_000 / piece.length));
    // A quadratic search would take minutes.
    expect(performance.now() - start).toBeLessThan(10_000);
  }
});

describe("results of more than 2,048 characters", () => {
  const lines = (count: number, ms: number): string =>
    Array.from({ length: count }, (_, at) => `test ${at} passed in ${at * ms}ms`).join("\n");

  it("long results are equal if they differ in times only", () => {
    expect(resultDigest(lines(500, 3))).toBe(resultDigest(lines(500, 4)));
  });

  it("long results differ by any word between their ends", () => {
    const snapshot = (price: string): string => `${lines(100, 3)}\nprice: ${price}\n${lines(100, 3)}`;
    expect(resultDigest(snapshot("low"))).not.toBe(resultDigest(snapshot("high")));
    expect(resultDigest(snapshot("low"))).toBe(resultDigest(snapshot("low")));
  });

  it("long results differ by their ends and their length", () => {
    expect(resultDigest(lines(500, 3))).not.toBe(resultDigest(lines(700, 3)));
    expect(resultDigest(`${lines(500, 3)} x`)).not.toBe(resultDigest(lines(500, 3)));
    expect(resultDigest(`x ${lines(500, 3)}`)).not.toBe(resultDigest(lines(500, 3)));
  });
});

it("digests differ where texts do", () => {
  expect(digest("ab")).not.toBe(digest("ba"));
  expect(digest("")).toBe(digest(""));
});
