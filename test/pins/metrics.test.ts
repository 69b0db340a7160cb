import { describe, expect, it } from "vitest";
import { createMetrics, type Metrics } from "../../src/export/prometheus.ts";
import type { CountedCall } from "../../src/store/port.ts";

const TOTALS = { acknowledged: 5, applied: 4, dropped: 1, rejected: 2, unapplied_bytes: 99 };
const call = (fields: Partial<CountedCall> = {}): CountedCall => ({
  ...{ provider: "anthropic", model: "m", tool_name: "Bash", outcome: "ok" as const },
  ...fields,
});
async function samples(metrics: Metrics): Promise<string[]> {
  return (await metrics.render()).text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}
const labelValues = (lines: readonly string[], metric: string, label: string): Set<string | undefined> =>
  new Set(
    lines
      .filter((line) => line.startsWith(`${metric}{`))
      .map((line) => new RegExp(`[{,]${label}="([^"]*)"`).exec(line)?.[1]),
  );

describe("/metrics", () => {
  it("exposes these names, types and labels, and no others", async () => {
    const metrics = createMetrics(
      () => TOTALS,
      async () => ({ healthy: 3, degraded: 0 }),
    );
    metrics.countCalls([call(), call({ outcome: "failed", category: "timeout", execution_time_ms: 1500 })]);
    metrics.countLeaks([{ model: "m", format: "hermes-json", result: "recovered", calls: 2 }]);
    metrics.countTokens([{ model: "m", kind: "cached", tokens: 70 }]);
    metrics.countRepairs([{ model: "m", class: "number-as-text", result: "repaired" }]);
    const loop = { of: "r1", run: 3, waits: 0, kind: "repeat", period: 1, tools: ["Bash"], level: 3 } as const;
    const looping = {
      project: "default",
      session_id: "s",
      agent_id: "root",
      provider: "anthropic",
      model: "m",
    } as const;
    metrics.countLoops([
      { ...looping, tool_name: "Bash", loop },
      { ...looping, tool_name: "Bash", loop: { ...loop, run: 4, level: null } },
    ]);
    metrics.guardAction("note");
    metrics.requestStarted();
    metrics.requestEnded("anthropic", 200);
    metrics.responseStarted(0.003);
    metrics.refused(403);
    metrics.unobserved();
    metrics.failed("forward");
    metrics.hookEvents("claude-code", "read", 1);
    const { text, contentType } = await metrics.render();
    expect(contentType).toContain("text/plain");
    expect([...text.matchAll(/^# TYPE (\S+ \S+)$/gm)].map(([, type]) => type).sort()).toEqual([
      "toolmend_call_repairs_total counter",
      "toolmend_export_events_total counter",
      "toolmend_guard_actions_total counter",
      "toolmend_hook_events_total counter",
      "toolmend_ingest_acknowledged_total counter",
      "toolmend_ingest_applied_total counter",
      "toolmend_ingest_dropped_total counter",
      "toolmend_ingest_rejected_total counter",
      "toolmend_ingest_unapplied_bytes gauge",
      "toolmend_label_overflow_total counter",
      "toolmend_leaked_calls_total counter",
      "toolmend_loop_calls_total counter",
      "toolmend_loops_total counter",
      "toolmend_proxy_added_seconds histogram",
      "toolmend_proxy_failures_total counter",
      "toolmend_proxy_in_flight gauge",
      "toolmend_proxy_refused_total counter",
      "toolmend_proxy_requests_total counter",
      "toolmend_proxy_unobserved_total counter",
      "toolmend_second_chances_total counter",
      "toolmend_sessions gauge",
      "toolmend_tokens_total counter",
      "toolmend_tool_calls_total counter",
      "toolmend_tool_duration_seconds histogram",
      "toolmend_tool_result_failures_total counter",
    ]);
    expect((await samples(metrics)).filter((line) => !line.includes("_bucket"))).toEqual([
      'toolmend_tool_calls_total{provider="anthropic",model="m",tool_name="Bash",outcome="ok"} 1',
      'toolmend_tool_calls_total{provider="anthropic",model="m",tool_name="Bash",outcome="failed"} 1',
      'toolmend_tool_result_failures_total{provider="anthropic",model="m",tool_name="Bash",category="timeout"} 1',
      'toolmend_leaked_calls_total{model="m",format="hermes-json",result="recovered"} 2',
      'toolmend_tokens_total{model="m",kind="cached"} 70',
      'toolmend_call_repairs_total{model="m",class="number-as-text",result="repaired"} 1',
      'toolmend_loops_total{model="m",tool_name="Bash",kind="repeat",level="3"} 1',
      'toolmend_loop_calls_total{model="m"} 2',
      'toolmend_guard_actions_total{action="note"} 1',
      'toolmend_guard_actions_total{action="stop"} 0',
      'toolmend_guard_actions_total{action="block"} 0',
      'toolmend_tool_duration_seconds_sum{tool_name="Bash"} 1.5',
      'toolmend_tool_duration_seconds_count{tool_name="Bash"} 1',
      'toolmend_proxy_requests_total{upstream="anthropic",status="200"} 1',
      'toolmend_proxy_refused_total{status="403"} 1',
      "toolmend_proxy_in_flight 0",
      "toolmend_proxy_added_seconds_sum 0.003",
      "toolmend_proxy_added_seconds_count 1",
      "toolmend_proxy_unobserved_total 1",
      'toolmend_proxy_failures_total{kind="forward"} 1',
      ...["upstream-protocol", "request-timeout", "repair", "rewrite", "recording", "local", "uncaught"].map(
        (kind) => `toolmend_proxy_failures_total{kind="${kind}"} 0`,
      ),
      'toolmend_hook_events_total{agent="claude-code",result="read"} 1',
      "toolmend_ingest_acknowledged_total 5",
      "toolmend_ingest_applied_total 4",
      "toolmend_ingest_dropped_total 1",
      "toolmend_ingest_rejected_total 2",
      "toolmend_ingest_unapplied_bytes 99",
      'toolmend_sessions{health="healthy"} 3',
      'toolmend_sessions{health="degraded"} 0',
      "toolmend_label_overflow_total 0",
    ]);
  });

  it("reads the recorder's totals at every scrape without accumulating them", async () => {
    let applied = 1;
    const metrics = createMetrics(() => ({ ...TOTALS, applied }));
    await metrics.render();
    applied = 7;
    expect(await samples(metrics)).toContain("toolmend_ingest_applied_total 7");
  });

  it("omits sessions when the store fails, and has everything else", async () => {
    const metrics = createMetrics(
      () => TOTALS,
      () => Promise.reject(new Error("locked")),
    );
    const lines = await samples(metrics);
    expect(lines.filter((line) => line.startsWith("toolmend_sessions"))).toEqual([]);
    expect(lines).toContain("toolmend_ingest_applied_total 4");
  });

  it("keeps two processes' metrics apart", async () => {
    const [one, other] = [createMetrics(() => TOTALS), createMetrics(() => TOTALS)];
    one.countCalls([call()]);
    expect((await samples(other)).some((line) => line.startsWith("toolmend_tool_calls_total{"))).toBe(false);
  });
});

describe("label values from models and clients", () => {
  it.each([
    ["tool_name", 600, 501],
    ["model", 300, 201],
    ["provider", 300, 51],
  ] as const)("%s: %i of them give at most %i, the rest is _other and counted", async (label, sent, max) => {
    const metrics = createMetrics(() => TOTALS);
    for (let at = 0; at < sent; at += 1) {
      metrics.countCalls([
        call({ [label]: `made-up-${at}`, outcome: "failed", category: "error", execution_time_ms: 1 }),
      ]);
    }
    const lines = await samples(metrics);
    for (const metric of ["toolmend_tool_calls_total", "toolmend_tool_result_failures_total"]) {
      const values = labelValues(lines, metric, label);
      expect(values.size).toBe(max);
      expect(values).toContain("_other");
      expect(values).toContain("made-up-0");
    }
    expect(lines).toContain(`toolmend_label_overflow_total ${sent - max + 1}`);
    const total = lines
      .filter((line) => line.startsWith("toolmend_tool_calls_total{"))
      .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
    expect(total).toBe(sent);
  });

  it("model and provider are unknown, not empty, for a call that settled before a source reported them", async () => {
    const metrics = createMetrics(() => TOTALS);
    metrics.countCalls([call({ model: "", provider: "" })]);
    const lines = await samples(metrics);
    expect([...labelValues(lines, "toolmend_tool_calls_total", "model")]).toEqual(["unknown"]);
    expect([...labelValues(lines, "toolmend_tool_calls_total", "provider")]).toEqual(["unknown"]);
  });

  it("label values are truncated to 128 characters and escaped", async () => {
    const metrics = createMetrics(() => TOTALS);
    metrics.countCalls([call({ tool_name: "x".repeat(1000) }), call({ tool_name: 'a"b\\c\nd' })]);
    const lines = await samples(metrics);
    expect(labelValues(lines, "toolmend_tool_calls_total", "tool_name")).toContain("x".repeat(128));
    expect(lines.some((line) => line.includes('tool_name="a\\"b\\\\c\\nd"'))).toBe(true);
  });
});
