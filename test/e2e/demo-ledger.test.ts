import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import type { DemoUpstream } from "../../src/demo/demo-upstream.ts";
import { startDemoUpstream } from "../../src/demo/demo-upstream.ts";
import { demoHistory } from "../../src/demo/history.ts";
import { Ledger } from "../../src/demo/ledger.ts";
import { demoPlans } from "../../src/demo/plan.ts";
import { type Message, runAgent, sendTurn } from "../../src/demo/run-agent.ts";
import type { BreakdownRow, SessionRow, Summary } from "../../src/store/port.ts";
import { freePort } from "../support/free-port.ts";
import { until } from "../support/raw-http.ts";
import { getJson, type Running, startInFrontOf, temporaryFolder } from "../support/running.ts";
import { spawnServer } from "../support/server-process.ts";

const NOW = Date.UTC(2026, 5, 15, 15);
const plans = demoPlans("test");
const PLANNED = plans.flatMap(({ turns }) => turns.flat());

let upstream: DemoUpstream;
let running: Running | undefined;
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await running?.close();
  running = undefined;
  await upstream.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Breakdown rows computed from the ledger. */
function short(rows: readonly BreakdownRow[]): Record<string, object> {
  return Object.fromEntries(rows.map(({ key, calls, ok, failed, unknown }) => [key, { calls, ok, failed, unknown }]));
}

async function settled(url: string, calls: number): Promise<void> {
  await until(
    `${calls} calls are stored`,
    async () => (await getJson<Summary>(`${url}/api/summary`)).calls === calls,
    10_000,
  );
}

describe("every number matches the ledger", () => {
  it("API, report, metrics and events count each failed call once although twenty requests replay it", async () => {
    upstream = await startDemoUpstream(() => plans);
    running = await startInFrontOf(upstream.url, { data: folder });
    const { server } = running;
    const ledger = new Ledger();
    const history = demoHistory(NOW, ledger);
    for (const _again of [1, 2]) {
      await fetch(`${server.url}/api/ingest`, {
        method: "POST",
        headers: { "content-type": "application/x-ndjson" },
        body: history,
      });
    }
    for (const plan of plans) await runAgent(plan, server.url, ledger);
    await settled(server.url, ledger.entries.length);
    await server.drain();

    const [byTool, byModel] = [Object.fromEntries(ledger.by("tool")), Object.fromEntries(ledger.by("model"))];
    expect(short((await getJson<{ rows: BreakdownRow[] }>(`${server.url}/api/tools`)).rows)).toEqual(byTool);
    expect(short((await getJson<{ rows: BreakdownRow[] }>(`${server.url}/api/breakdown?by=model`)).rows)).toEqual(
      byModel,
    );

    const failed = ledger.entries.filter(({ expected }) => expected === "failed").length;
    expect(await getJson<Summary>(`${server.url}/api/summary`)).toMatchObject({
      calls: ledger.entries.length,
      failed,
      unknown: 0,
      pending: 0,
      failure_rate: failed / ledger.entries.length,
      // Seven days with twelve sessions each, the seven of today that had ended at 15:00, and one session per agent.
      sessions: 7 * 12 + 7 + plans.length,
      // One request per turn, and one with the last results.
      requests: plans.reduce((sum, { turns }) => sum + turns.length + 1, 0),
    });

    const { rows: sessions } = await getJson<{ rows: SessionRow[] }>(`${server.url}/api/sessions?limit=200`);
    const live = sessions.filter(({ requests }) => requests > 0);
    expect(live.map(({ calls, failed: bad, model_used }) => [model_used, calls, bad]).sort()).toEqual(
      plans
        .map(({ model, turns }) => [
          model,
          turns.flat().length,
          turns.flat().filter(({ expected }) => expected === "failed").length,
        ])
        .sort(),
    );
    expect(live.find(({ session_id }) => session_id === "demo-test-long-run")).toMatchObject({
      calls: 21,
      failed: 1,
      health: "degraded",
    });

    let out = "";
    const io = {
      out: (text: string) => (out += text),
      err: () => undefined,
      environment: {},
      isTerminal: false,
      width: 100,
      now: () => NOW,
    };
    expect(await main(["report", "--json", "--data", folder], io as never)).toBe(0);
    const report = JSON.parse(out) as { by: string; totals: Summary; rows: BreakdownRow[] };
    expect(report.by).toBe("tool");
    expect(short(report.rows)).toEqual(byTool);
    expect(report.totals).toMatchObject({ calls: ledger.entries.length, failed });

    // Counters cover live traffic only, once per call.
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    const counter = (name: string): number =>
      [...metrics.matchAll(new RegExp(`^${name}\\{[^}]*\\} (\\d+)$`, "gm"))].reduce(
        (sum, [, value]) => sum + Number(value),
        0,
      );
    expect(counter("toolmend_tool_calls_total")).toBe(PLANNED.length);
    expect(counter("toolmend_tool_result_failures_total")).toBe(
      PLANNED.filter(({ expected }) => expected === "failed").length,
    );

    const lines = readdirSync(join(folder, "events")).flatMap((file) =>
      readFileSync(join(folder, "events", file), "utf8")
        .trim()
        .split("\n"),
    );
    const recorded = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ type }) => type === "tool_call_recorded");
    expect(recorded).toHaveLength(ledger.entries.length);
    expect(recorded.filter(({ success }) => success === false)).toHaveLength(failed);
    expect(new Set(lines.map((line) => (JSON.parse(line) as { event_id: string }).event_id)).size).toBe(lines.length);
  });

  it("kills and restarts of the server midway change no number", async () => {
    upstream = await startDemoUpstream(() => plans);
    const ledger = new Ledger();
    const port = await freePort();
    let child = await spawnServer(folder, upstream.url, port);
    let kills = 0;
    const killer = (async () => {
      for (const pause of [150, 250, 200]) {
        await new Promise((resolve) => setTimeout(resolve, pause));
        await child.kill("SIGKILL");
        kills += 1;
        child = await spawnServer(folder, upstream.url, port);
      }
    })();
    // A client that retries when the connection breaks, as real clients do.
    const url = `http://127.0.0.1:${port}`;
    const retry = { retries: 1000, retryMs: 50 };
    const histories = [];
    for (const plan of plans) histories.push(await runAgent(plan, url, ledger, retry));
    await killer;
    // Data in flight when the server died was never acknowledged; the next request of the session contains it.
    for (const [at, plan] of plans.entries())
      await sendTurn(plan, url, histories[at] as Message[], plan.turns.length, retry);
    await child.kill("SIGTERM");
    expect(kills).toBe(3);

    running = await startInFrontOf(upstream.url, { data: folder });
    const { rows } = await getJson<{ rows: BreakdownRow[] }>(`${running.server.url}/api/tools`);
    expect(short(rows)).toEqual(Object.fromEntries(ledger.by("tool")));
  });
});
