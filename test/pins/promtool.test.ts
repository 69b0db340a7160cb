import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { createMetrics } from "../../src/export/prometheus.ts";

const PROMTOOL = process.env.TOOLMEND_PROMTOOL ?? "promtool";
const missing = spawnSync(PROMTOOL, ["--version"]).status !== 0;
if (missing && process.env.CI)
  throw new Error("promtool is missing: apt-get install prometheus, or set TOOLMEND_PROMTOOL");

describe.skipIf(missing)(`metrics${missing ? " (skipped: promtool is not installed)" : ""}`, () => {
  it("pass promtool's check, with and without values", async () => {
    const metrics = createMetrics(
      () => ({ acknowledged: 5, applied: 4, dropped: 1, rejected: 0, unapplied_bytes: 7 }),
      async () => ({ healthy: 2, unhealthy: 1 }),
    );
    const check = async (): Promise<string> => {
      const { text } = await metrics.render();
      const { status, stdout, stderr } = spawnSync(PROMTOOL, ["check", "metrics"], { input: text, encoding: "utf8" });
      return status === 0 ? "" : `${stdout}${stderr}`;
    };
    expect(await check()).toBe("");
    metrics.countCalls([
      {
        provider: "anthropic",
        model: 'odd "model"\n',
        tool_name: "Bash\\",
        outcome: "failed",
        category: "timeout",
        execution_time_ms: 1200,
      },
      { provider: "openai", model: "m", tool_name: "ünïcode", outcome: "ok" },
    ]);
    metrics.requestStarted();
    metrics.requestEnded("anthropic", 200);
    metrics.answerBegan(0.003);
    metrics.refused(403);
    metrics.unobserved();
    expect(await check()).toBe("");
  });
});
