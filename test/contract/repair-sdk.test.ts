import { describe, expect, it } from "vitest";
import { REPAIR_MODES, type RepairMode } from "../../src/core/repair/index.ts";
import { eventsAfter } from "../support/recorded-events.ts";
import { type PromptOptions, SDK_VARIANTS, sendPrompt } from "../support/repair-clients.ts";
import { type Both, startForTest } from "../support/start-for-test.ts";
import { inOrder } from "../support/upstream/script.ts";
import { call, type ModelTurn, respond, think } from "../support/upstream/turn.ts";

const LEAK = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';
const UNKNOWN = LEAK.replace("read", "write");
const DONE = respond("The file says hello.");
const STOP = { anthropic: "tool_use", chat: "tool_calls", responses: "completed" } as const;

async function start(mode: RepairMode | undefined, ...turns: ModelTurn[]): Promise<Both> {
  return await startForTest(inOrder(...turns), mode === undefined ? {} : { repair: { mode } });
}

describe.each(SDK_VARIANTS)("%s, stream %s", (api, stream) => {
  const options: PromptOptions = { stream };
  const turn = (text: string, characters = 5): ModelTurn => ({ ...respond(text), chunking: { characters } });

  it("delivers a leak to the SDK as a call, which goes back to the strict upstream as history", async () => {
    const { url, upstream } = await start(undefined, turn(`Let me look. ${LEAK}`), turn(LEAK), DONE);
    const response = await sendPrompt(api, url, options);
    expect(response).toMatchObject({
      text: "Let me look.",
      stop: STOP[api],
      calls: [{ name: "read", arguments: { path: "a.txt" } }],
    });
    const second = await response.sendResults();
    expect(second).toMatchObject({
      text: "",
      stop: STOP[api],
      calls: [{ name: "read", arguments: { path: "a.txt" } }],
    });
    expect(second.calls[0]?.id).not.toBe(response.calls[0]?.id);
    const last = await second.sendResults();
    expect(last).toMatchObject({ text: "The file says hello.", calls: [] });
    expect(upstream.rejections).toEqual([]);
  });

  it.each(REPAIR_MODES)("does what mode %s says", async (mode) => {
    const { url } = await start(mode, turn(LEAK), turn(UNKNOWN));
    const known = await sendPrompt(api, url, options);
    const unknown = await sendPrompt(api, url, options);
    const repairs = mode === "known" || mode === "any";
    expect(known).toMatchObject(repairs ? { text: "", calls: [{ name: "read" }] } : { text: LEAK, calls: [] });
    expect(unknown).toMatchObject(
      mode === "any" ? { text: "", calls: [{ name: "write" }] } : { text: UNKNOWN, calls: [] },
    );
  });

  it("records the repaired call as recovered, the leak with its outcome, and the metric", async () => {
    const running = await start(undefined, turn(LEAK), DONE, { ...turn(LEAK), stopReason: "length" });
    const response = await sendPrompt(api, running.url, options);
    await response.sendResults();
    await sendPrompt(api, running.url, options);
    const [requested] = await eventsAfter(running, 3, "tool_call_requested");
    expect(requested).toMatchObject({
      tool_name: "read",
      tool_call_id: response.calls[0]?.id,
      origin: "recovered",
      format: "hermes-json",
    });
    const [recovered] = await eventsAfter(running, 3, "leak_recovered");
    expect(recovered).toMatchObject({
      format: "hermes-json",
      parsed: 1,
      dropped: 0,
      tool_call_ids: [response.calls[0]?.id],
      model_name: "m",
    });
    const [left] = await eventsAfter(running, 3, "leak_left");
    expect(left).toMatchObject({ format: "hermes-json", reason: "max-tokens" });
    expect(
      (await eventsAfter(running, 3, "tool_call_recorded")).map(({ tool_call_id, status }) => [tool_call_id, status]),
    ).toEqual([[response.calls[0]?.id, "ok"]]);
    expect(await running.server.store.leaks({})).toHaveLength(2);
    const metrics = await (await fetch(`${running.url}/metrics`)).text();
    expect(metrics).toContain('toolmend_leaked_calls_total{model="m",format="hermes-json",result="recovered"} 1');
    expect(metrics).toContain('toolmend_leaked_calls_total{model="m",format="hermes-json",result="left"} 1');
  });

  it("never turns an echo of a tool result into a call", async () => {
    const pages = [
      LEAK,
      `A page:\n    ${LEAK.replaceAll("\n", "\n    ")}`,
      `> ${LEAK.replaceAll("\n", "\n> ")}`,
      JSON.stringify({ page: LEAK }),
    ];
    // Bodies with non-ASCII characters take a different parsing path.
    const far = LEAK.replace("a.txt", "ä👀.txt");
    for (const [page, leak] of [...pages.map((text) => [text, LEAK] as const), [far, far] as const]) {
      const { url } = await start(undefined, turn(`It says: ${leak}`));
      const response = await sendPrompt(api, url, { ...options, page });
      expect(response).toMatchObject({ text: `It says: ${leak}`, calls: [] });
    }
  });

  it("leaves a leak beside a native call", async () => {
    const { url } = await start(undefined, respond(LEAK, call("read", { path: "b.txt" })));
    const response = await sendPrompt(api, url, options);
    expect(response).toMatchObject({ text: LEAK, calls: [{ arguments: { path: "b.txt" } }] });
  });

  it("repairs several calls after reasoning", async () => {
    const { url, upstream } = await start(
      undefined,
      respond(think("Hm."), `${LEAK}\n${LEAK.replace("a.txt", "b.txt")}`),
      DONE,
    );
    const response = await sendPrompt(api, url, options);
    expect(response.calls.map((one) => one.arguments)).toEqual([{ path: "a.txt" }, { path: "b.txt" }]);
    await response.sendResults();
    expect(upstream.rejections).toEqual([]);
  });

  it("passes text through when no tool is declared or tool_choice forbids calls", async () => {
    const { url } = await start(undefined, turn(LEAK), turn(LEAK));
    expect(await sendPrompt(api, url, { ...options, tools: [] })).toMatchObject({ text: LEAK, calls: [] });
    const none = api === "anthropic" ? { type: "none" } : "none";
    expect(await sendPrompt(api, url, { ...options, more: { tool_choice: none } })).toMatchObject({
      text: LEAK,
      calls: [],
    });
  });
});

describe("the Responses API", () => {
  it.each([false, true])("returns the text input of custom tools, stream %s", async (stream) => {
    const { url, upstream } = await start(undefined, respond(LEAK), DONE);
    const response = await sendPrompt("responses", url, { stream, custom: true });
    expect(response.calls).toMatchObject([{ name: "read", arguments: "a.txt" }]);
    await response.sendResults();
    expect(upstream.rejections).toEqual([]);
  });
});
