import { describe, expect, it } from "vitest";
import { createMetrics } from "../../src/export/prometheus.ts";
import { notRun } from "../support/not-run.ts";
import { promtool, promtoolProblem } from "../support/promtool.ts";

describe.skipIf(promtoolProblem !== undefined)(`metrics${notRun(promtoolProblem)}`, () => {
  it("metrics pass promtool's check, with and without values", async () => {
    const metrics = createMetrics(
      () => ({ acknowledged: 5, applied: 4, dropped: 1, rejected: 0, unapplied_bytes: 7 }),
      async () => ({ healthy: 2, unhealthy: 1 }),
    );
    const check = async (): Promise<string> => {
      const { text } = await metrics.render();
      return promtool(["check", "metrics"], text);
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
    metrics.responseStarted(0.003);
    metrics.refused(403);
    metrics.unobserved();
    expect(await check()).toBe("");
  });
});
