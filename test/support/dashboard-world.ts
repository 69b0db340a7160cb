import { startDemoUpstream } from "../../src/demo/demo-upstream.ts";
import { demoHistory } from "../../src/demo/history.ts";
import { Ledger } from "../../src/demo/ledger.ts";
import { demoPlans } from "../../src/demo/plan.ts";
import { runAgent } from "../../src/demo/run-agent.ts";
import { busyDay } from "./busy-day.ts";
import { type Running, startInFrontOf } from "./running.ts";
import { troubledSession } from "./troubled-session.ts";

/** Texts that try to be interpreted: markup, escape sequences, a spreadsheet formula, reversed text direction. */
export const PLANTED = {
  markup: '<img src=x onerror="window.planted=1"><script>window.planted=1</script>',
  ansi: "\u001b[31mred\u001b]0;title\u0007\u202Eback",
} as const;

export const TROUBLED = "troubled";

/** The data of `toolmend demo`, plus a busy day, plus one session with every kind of link. */
export async function startWorld(names: "demo" | "plain" | "odd"): Promise<Running> {
  const now = Date.now();
  const plans = demoPlans("round");
  const upstream = await startDemoUpstream(() => plans);
  const running = await startInFrontOf(upstream.url);
  const ledger = new Ledger();
  await send(running, demoHistory(now, ledger));
  for (const plan of plans) await runAgent(plan, running.url, ledger);
  if (names !== "demo") {
    await send(running, lines(busyDay(now - 90_000, names)));
    await send(running, lines(troubled(now - 600_000)));
  }
  if (names === "odd") await send(running, lines(planted(now - 30_000)));
  await running.server.drain();
  return {
    ...running,
    async close() {
      await running.close();
      await upstream.close();
    },
  };
}

/** Adds a second agent next to the first, which reads the same file repeatedly. */
function troubled(start: number): readonly object[] {
  const root = troubledSession({ session_id: TROUBLED }).map((call, at) => ({
    ...call,
    occurred_at: start + at * 4000,
    seen_at: start + at * 4000,
    live: false,
  }));
  const sub = troubledSession({ session_id: TROUBLED, agent_id: "reviewer", model: "m2" }).map((call, at) => ({
    ...call,
    tool_call_id: `${call.tool_call_id}_sub`,
    turn: `${call.turn}_sub`,
    occurred_at: start + at * 4000 + 2000,
    seen_at: start + at * 4000 + 2000,
    live: false,
  }));
  return [...root, ...sub];
}

function planted(start: number): readonly object[] {
  const { markup, ansi } = PLANTED;
  return [markup, ansi].map((text, at) => ({
    ...{
      session_id: "planted",
      tool_call_id: `p${at}`,
      tool_name: text,
      model: text,
      client: "plain",
      provider: "openai",
    },
    ...{
      occurred_at: start + at,
      source: "hook",
      arguments: { path: text },
      content: `Error: ${text}`,
      is_error: true,
    },
  }));
}

function lines(rows: readonly object[]): string {
  return rows.map((row) => JSON.stringify(row)).join("\n");
}

export async function send({ url }: Pick<Running, "url">, body: string): Promise<void> {
  const response = await fetch(`${url}/api/ingest`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body,
  });
  const result = (await response.json()) as { rejected?: readonly object[]; dropped?: number };
  if (!response.ok || result.dropped !== 0 || result.rejected?.length !== 0)
    throw new Error(`some lines were not accepted: ${JSON.stringify(result).slice(0, 500)}`);
}
