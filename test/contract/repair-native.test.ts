import { describe, expect, it } from "vitest";
import type { RepairMode } from "../../src/core/repair/index.ts";
import { eventsAfter } from "../support/recorded-events.ts";
import { type PromptOptions, SDK_VARIANTS, sendPrompt } from "../support/repair-clients.ts";
import { startForTest } from "../support/start-for-test.ts";
import { inOrder } from "../support/upstream/script.ts";
import { call, type ModelTurn, respond, think } from "../support/upstream/turn.ts";

const LEAK = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';
const DONE = respond("Hello.");
const MALFORMED_NAMES = ["read<|channel|>commentary", "functions.read", "default_api.read"];

async function start(turns: readonly ModelTurn[], repair: { mode: RepairMode; deny?: string[] } = { mode: "known" }) {
  // A strict provider would reject the malformed name as history.
  return await startForTest(inOrder(...turns), { repair }, { flavor: "local" });
}

describe.each(SDK_VARIANTS)("a native call with a malformed name: %s, stream %s", (api, stream) => {
  const options: PromptOptions = { stream };

  it("a malformed name reaches the SDK as the declared name and goes back as history", async () => {
    const calls = MALFORMED_NAMES.map((name, at) => call(name, { path: `${at}.txt` }));
    const { url, upstream } = await start([respond("Let me look.", ...calls), DONE]);
    const turn = await sendPrompt(api, url, options);
    expect(turn).toMatchObject({
      text: "Let me look.",
      calls: MALFORMED_NAMES.map((_, at) => ({ name: "read", arguments: { path: `${at}.txt` } })),
    });
    expect(await turn.sendResults()).toMatchObject({ text: "Hello." });
    expect(upstream.rejections).toEqual([]);
  });

  it("the record shows a repair of a native call", async () => {
    const running = await start([respond(call("functions.read", { path: "a.txt" })), DONE]);
    const turn = await sendPrompt(api, running.url, options);
    await turn.sendResults();
    const id = turn.calls[0]?.id;
    expect(await eventsAfter(running, 2, "leak_recovered")).toMatchObject([
      { format: "native-name", repairs: ["cleaned-name"], parsed: 1, tool_names: ["read"], tool_call_ids: [id] },
    ]);
    expect(await eventsAfter(running, 2, "tool_call_requested")).toMatchObject([
      { tool_name: "read", tool_call_id: id, origin: "native", format: "native-name" },
    ]);
  });

  it("a malformed name is kept when repair is off, when the tool is denied, and when no declared tool matches", async () => {
    const cases: readonly [repair: Parameters<typeof start>[1], name: string][] = [
      [{ mode: "off" }, "functions.read"],
      [{ mode: "observe" }, "functions.read"],
      [{ mode: "known", deny: ["read"] }, "functions.read"],
      [{ mode: "known" }, "functions.write"],
      [{ mode: "known" }, "read"],
    ];
    for (const [repair, name] of cases) {
      const running = await start([respond(call(name, { path: "a.txt" }))], repair);
      expect((await sendPrompt(api, running.url, options)).calls).toMatchObject([{ name }]);
      expect(await eventsAfter(running, 1, "leak_recovered")).toEqual([]);
    }
  });
});

describe.each([false, true])("chat, stream %s: a call that appears only in the reasoning", (stream) => {
  const options: PromptOptions = { stream };

  it("a call in the reasoning becomes a tool call at the end, and the reasoning is unchanged", async () => {
    const { url, upstream } = await start([
      respond(think(`I need the file. ${LEAK}`)),
      respond(think(LEAK), " "),
      DONE,
    ]);
    const turn = await sendPrompt("chat", url, options);
    expect(turn).toMatchObject({ stop: "tool_calls", calls: [{ name: "read", arguments: { path: "a.txt" } }] });
    const second = await turn.sendResults();
    expect(second).toMatchObject({ stop: "tool_calls", calls: [{ name: "read" }] });
    expect(await second.sendResults()).toMatchObject({ text: "Hello.", calls: [] });
    expect(upstream.rejections).toEqual([]);
  });

  it("a call in the reasoning stays text when the turn has other text, only considers the call, or is incomplete", async () => {
    const running = await start([
      respond(think(LEAK), "Here you are."),
      respond(think(`I read it.\n${LEAK}\n\nThen I count the lines.`)),
      { ...respond(think(LEAK)), stopReason: "length" },
      respond(think(LEAK), call("read", { path: "b.txt" })),
    ]);
    expect(await sendPrompt("chat", running.url, options)).toMatchObject({ text: "Here you are.", calls: [] });
    expect(await sendPrompt("chat", running.url, options)).toMatchObject({ stop: "stop", calls: [] });
    expect(await sendPrompt("chat", running.url, options)).toMatchObject({ stop: "length", calls: [] });
    expect(await sendPrompt("chat", running.url, options)).toMatchObject({ calls: [{ arguments: { path: "b.txt" } }] });
    expect(await eventsAfter(running, 4, "leak_left")).toMatchObject([{ reason: "reasoning" }]);
  });

  it("a call in the reasoning stays text when it echoes a tool result", async () => {
    const { url } = await start([respond(think(LEAK))]);
    expect(await sendPrompt("chat", url, { ...options, page: LEAK })).toMatchObject({ stop: "stop", calls: [] });
  });
});
