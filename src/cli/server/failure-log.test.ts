import { describe, expect, it } from "vitest";
import { FAILURE_KINDS, type FailureKind } from "../../proxy/http/error-boundary.ts";
import { createFailureLog } from "./recording-pipeline.ts";

function opened() {
  const logged: Record<string, unknown>[] = [];
  const messages: string[] = [];
  const counted: FailureKind[] = [];
  const clock = { now: 1_000_000 };
  const onFailure = createFailureLog({
    logger: {
      warn(fields: Record<string, unknown>, message: string) {
        logged.push(fields);
        messages.push(message);
      },
    } as never,
    count: (kind) => void counted.push(kind),
    now: () => clock.now,
  });
  return { logged, messages, counted, clock, onFailure };
}

describe("createFailureLog", () => {
  it("counts every failure and logs each kind immediately, then once a minute with the count since", () => {
    const { logged, counted, clock, onFailure } = opened();
    for (let n = 0; n < 5; n += 1) onFailure("forward", new RangeError("x"));
    onFailure("repair", new TypeError("y"));
    clock.now += 60_000;
    onFailure("forward", new RangeError("x"));
    expect(logged.map(({ kind, failures, error }) => [kind, failures, error])).toEqual([
      ["forward", 1, "RangeError"],
      ["repair", 1, "TypeError"],
      ["forward", 5, "RangeError"],
    ]);
    expect(counted).toHaveLength(7);
  });

  it("says what each kind of failure means for the request", () => {
    const { messages, onFailure } = opened();
    for (const kind of FAILURE_KINDS) onFailure(kind, new Error("x"));
    expect(new Set(messages).size).toBe(FAILURE_KINDS.length);
    expect(messages).toContain("a response was forwarded without repair because of an internal error");
  });

  it("logs the error's code and stack frames without its message", () => {
    const { logged, onFailure } = opened();
    const secret = "sk-ant-secret";
    onFailure("forward", Object.assign(new Error(`unexpected ${secret}\n    at ${secret}`), { code: "ERR_X" }));
    onFailure("recording", secret);
    expect(JSON.stringify(logged)).not.toContain(secret);
    expect(logged[0]).toMatchObject({ error: "Error", code: "ERR_X" });
    expect(String(logged[0]?.at)).toContain("failure-log.test.ts");
    expect(logged[1]).toEqual({ kind: "recording", failures: 1, error: "string" });
  });
});
