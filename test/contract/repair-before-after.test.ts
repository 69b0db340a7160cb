import { afterEach, describe, expect, it } from "vitest";
import { reportCommand } from "../../src/cli/commands/report.ts";
import { startDemoUpstream } from "../../src/demo/demo-upstream.ts";
import { Ledger } from "../../src/demo/ledger.ts";
import { demoPlans } from "../../src/demo/plan.ts";
import { runAgent } from "../../src/demo/run-agent.ts";
import type { LeakRow } from "../../src/store/port.ts";
import { eventsAfter } from "../support/recorded-events.ts";
import { sendPrompt } from "../support/repair-clients.ts";
import { getJson, startBoth, startInFrontOf } from "../support/running.ts";
import { inOrder } from "../support/upstream/script.ts";
import { call, respond, type Turn } from "../support/upstream/turn.ts";

const KEY = "sk-live-0123456789abcdef";
const leakOf = (args: object): string =>
  `<tool_call>\n${JSON.stringify({ name: "read", arguments: args })}\n</tool_call>`;

let close: (() => Promise<void>) | undefined;
afterEach(async () => {
  await close?.();
  close = undefined;
});

async function start(turns: readonly Turn[], options: Parameters<typeof startBoth>[1] = {}) {
  const both = await startBoth(inOrder(...turns), options);
  close = both.close;
  return both;
}

const rowsOf = async (url: string): Promise<readonly LeakRow[]> =>
  (await getJson<{ rows: LeakRow[] }>(`${url}/api/leaks`)).rows;

describe.each(["anthropic", "chat", "responses"] as const)("a repaired call of %s", (api) => {
  it("stores what the model wrote and what the client received, redacted and bounded", async () => {
    const written = leakOf({ path: "a.txt", api_key: KEY, rest: "x".repeat(600) });
    const running = await start([respond(`I look. ${written} ${leakOf({ path: "b.txt" })}`)]);
    await sendPrompt(api, running.url, { stream: true });
    await eventsAfter(running, 1, "leak_recovered");
    const [row] = await rowsOf(running.url);
    expect(row?.before).toMatch(/^<tool_call>\n\{"name":"read","arguments":\{"path":"a\.txt","api_key":"\[secret\]"/);
    expect(row?.before?.length).toBe(500);
    expect(row?.after).toMatchObject([{ tool_name: "read" }, { tool_name: "read", arguments: '{"path":"b.txt"}' }]);
    expect(row?.after[0]?.arguments).toMatch(/^\{"path":"a\.txt","api_key":"\[secret\]","rest":"x+…$/);
    expect(row?.after[0]?.arguments.length).toBe(200);
    expect(JSON.stringify(await running.server.store.events(0, 100))).not.toContain(KEY);
  });

  it("stores no text with capture set to none", async () => {
    const running = await start([respond(leakOf({ path: "a.txt" }))], { capture: "none" });
    await sendPrompt(api, running.url, { stream: false });
    await eventsAfter(running, 1, "leak_recovered");
    expect(await rowsOf(running.url)).toMatchObject([{ result: "recovered", before: null, after: [] }]);
  });
});

it("an unrepaired leak has a before text and no after text", async () => {
  const running = await start([{ ...respond(leakOf({ path: "a.txt" })), stopReason: "length" }]);
  await sendPrompt("chat", running.url, { stream: true });
  await eventsAfter(running, 1, "leak_left");
  expect(await rowsOf(running.url)).toMatchObject([
    { result: "left", reason: "max-tokens", before: leakOf({ path: "a.txt" }), after: [] },
  ]);
});

it("a corrected tool name is stored with the name the model wrote", async () => {
  const running = await start([respond(call("functions.read", { path: "a.txt" }))]);
  await sendPrompt("chat", running.url, { stream: true });
  await eventsAfter(running, 1, "leak_recovered");
  expect(await rowsOf(running.url)).toMatchObject([
    { before: "functions.read", after: [{ tool_name: "read", arguments: '{"path":"a.txt"}' }] },
  ]);
});

it("the demo contains repaired calls", async () => {
  const plans = demoPlans("test").filter(({ name }) => name === "leaky-coder");
  const upstream = await startDemoUpstream(() => plans);
  const running = await startInFrontOf(upstream.url);
  close = async () => {
    await running.close();
    await upstream.close();
  };
  for (const plan of plans) await runAgent(plan, running.url, new Ledger());
  expect(await eventsAfter(running, 3, "tool_call_recorded")).toMatchObject([
    { tool_name: "read_file", origin: "recovered", status: "ok" },
    { tool_name: "run", origin: "recovered", status: "ok" },
  ]);
  expect(await getJson(`${running.url}/api/origins`)).toMatchObject({
    rows: [
      { origin: "native", calls: 0, failure_rate: null },
      { origin: "recovered", calls: 2, ok: 2, failed: 0, failure_rate: 0, refused: 0, pending: 0, discarded: 0 },
    ],
  });
  let out = "";
  const io = { err: () => undefined, environment: {}, isTerminal: false, width: 100, now: Date.now };
  await reportCommand({ data: running.data }, { ...io, out: (text) => (out += text) });
  expect(out).toContain(
    "Repaired (calls that models wrote as text): 2 leaked calls, 0 failed (0.0 %; native calls: – %), 0 rejected by the client.",
  );
  const [newest, first] = await rowsOf(running.url);
  expect(newest).toMatchObject({ after: [{ tool_name: "run", arguments: '{"cmd":"npm test -- render"}' }] });
  expect(first?.before).toContain("<tool_call>");
});
