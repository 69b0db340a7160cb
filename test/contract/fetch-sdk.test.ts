import { afterEach, describe, expect, it } from "vitest";
import { type LeakReport, mendFetch, type RepairMode } from "../../src/adapters/fetch/index.ts";
import { REPAIR_MODES } from "../../src/core/repair/index.ts";
import { LEAKS } from "../support/leaks.ts";
import { until } from "../support/raw-http.ts";
import { SDK_VARIANTS, sendPrompt } from "../support/repair-clients.ts";
import { inOrder } from "../support/upstream/script.ts";
import { startUpstream, type Upstream } from "../support/upstream/start-upstream.ts";
import { call, type ModelTurn, respond, think, withFaults } from "../support/upstream/turn.ts";

// The official SDKs with `mendFetch` and no proxy: what they parse, and whether the strict upstream accepts it as
// history.

const UNKNOWN = LEAKS.hermes.replace("read", "write");
const DONE = respond("The file says hello.");
const STOP = { anthropic: "tool_use", chat: "tool_calls", responses: "completed" } as const;
let upstream: Upstream;
afterEach(() => upstream.close());

async function start(...turns: ModelTurn[]): Promise<string> {
  upstream = await startUpstream({ script: inOrder(...turns) });
  return upstream.url;
}

describe.each(SDK_VARIANTS)("%s, stream %s", (api, stream) => {
  const turn = (text: string, characters = 5): ModelTurn => ({ ...respond(text), chunking: { characters } });

  it.each(Object.entries(LEAKS))("reads %s as a call and sends it back as history", async (_, leak) => {
    const url = await start(turn(`Let me look. ${leak}`), turn(leak), DONE);
    const response = await sendPrompt(api, url, { stream, fetch: mendFetch() });
    const expected = { stop: STOP[api], calls: [{ name: "read", arguments: { path: "a.txt" } }] };
    expect(response).toMatchObject({ text: "Let me look.", ...expected });
    const second = await response.sendResults();
    expect(second).toMatchObject({ text: "", ...expected });
    expect(await second.sendResults()).toMatchObject({ text: "The file says hello.", calls: [] });
    expect(upstream.rejections).toEqual([]);
  });

  it.each(REPAIR_MODES)("does what mode %s says and reports it", async (mode: RepairMode) => {
    const url = await start(turn(LEAKS.hermes), turn(UNKNOWN));
    const leaks: LeakReport[] = [];
    const fetch = mendFetch({ mode, onLeak: (leak) => leaks.push(leak) });
    const known = await sendPrompt(api, url, { stream, fetch });
    const unknown = await sendPrompt(api, url, { stream, fetch });
    const repairs = mode === "known" || mode === "any";
    expect(known).toMatchObject(repairs ? { text: "", calls: [{ name: "read" }] } : { text: LEAKS.hermes, calls: [] });
    expect(unknown).toMatchObject(
      mode === "any" ? { text: "", calls: [{ name: "write" }] } : { text: UNKNOWN, calls: [] },
    );
    expect(leaks.map(({ result, reason }) => reason ?? result)).toEqual(
      {
        off: [],
        observe: ["observe", "unknown-name"],
        known: ["recovered", "unknown-name"],
        any: ["recovered", "recovered"],
      }[mode],
    );
  });

  it("never runs an echo of a tool result", async () => {
    const leak = LEAKS.hermes;
    const pages = [leak, `A page:\n    ${leak.replaceAll("\n", "\n    ")}`, `> ${leak.replaceAll("\n", "\n> ")}`];
    for (const page of pages) {
      const url = await start(turn(`It says: ${leak}`));
      const response = await sendPrompt(api, url, { stream, page, fetch: mendFetch() });
      expect(response).toMatchObject({ text: `It says: ${leak}`, calls: [] });
      await upstream.close();
    }
  });

  it("leaves a leak beside a native call, and repairs one after reasoning", async () => {
    const url = await start(
      respond(LEAKS.hermes, call("read", { path: "b.txt" })),
      respond(think("Hm."), `${LEAKS.hermes}\n${LEAKS.hermes.replace("a.txt", "b.txt")}`),
      DONE,
    );
    const fetch = mendFetch();
    const native = await sendPrompt(api, url, { stream, fetch });
    expect(native).toMatchObject({ text: LEAKS.hermes, calls: [{ arguments: { path: "b.txt" } }] });
    const leaked = await sendPrompt(api, url, { stream, fetch });
    expect(leaked.calls.map((one) => one.arguments)).toEqual([{ path: "a.txt" }, { path: "b.txt" }]);
    await leaked.sendResults();
    expect(upstream.rejections).toEqual([]);
  });

  it("a request ends with the caller's signal", async () => {
    const aborting = new AbortController();
    const url = await start(withFaults(turn(`Hi. ${LEAKS.hermes}`), { kind: "stall", afterEvents: stream ? 9 : 0 }));
    const more = { signal: aborting.signal };
    const sending = mendFetch({ fetch: (input, init) => fetch(input, { ...init, ...more }) });
    const pending = sendPrompt(api, url, { stream, fetch: sending });
    await until("the upstream has the request", () => upstream.requests.length === 1);
    setTimeout(() => aborting.abort(), 50);
    await expect(pending).rejects.toThrow(/abort/i);
    expect(await upstream.requests[0]?.ended).toBe("client-gone");
  });

  it("passes text through when no tool is declared or tool_choice forbids calls", async () => {
    const url = await start(turn(LEAKS.hermes), turn(LEAKS.hermes), turn(LEAKS.hermes));
    const left = { text: LEAKS.hermes, calls: [] };
    const none = api === "anthropic" ? { type: "none" } : "none";
    expect(await sendPrompt(api, url, { stream, fetch: mendFetch(), tools: [] })).toMatchObject(left);
    expect(await sendPrompt(api, url, { stream, fetch: mendFetch(), more: { tool_choice: none } })).toMatchObject(left);
    expect(await sendPrompt(api, url, { stream, fetch: mendFetch({ deny: ["re*"] }) })).toMatchObject(left);
  });
});
