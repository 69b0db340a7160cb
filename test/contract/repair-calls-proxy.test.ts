import { describe, expect, it } from "vitest";
import type { RepairConfig } from "../../src/proxy/repair/repair-control.ts";
import { eventsAfter } from "../support/recorded-events.ts";
import { declareTool, type PromptOptions, SDK_VARIANTS, sendPrompt } from "../support/repair-clients.ts";
import { type Both, startForTest } from "../support/start-for-test.ts";
import { inOrder } from "../support/upstream/script.ts";
import { call, type ModelTurn, refuse, respond, type Turn } from "../support/upstream/turn.ts";

const DONE = respond("Hello.");
const PARAMETERS = {
  type: "object",
  properties: {
    path: { type: "string" },
    lines: { type: "integer" },
    tags: { type: "array", items: { type: "string" } },
  },
  required: ["path"],
};
const BROKEN = '{"path": "a.txt", "lines": "5", "tags": "[\\"x\\"]"}';
const REPAIRED = { path: "a.txt", lines: 5, tags: ["x"] };

async function start(turns: readonly Turn[], repair: RepairConfig = { mode: "known" }): Promise<Both> {
  return await startForTest(inOrder(...turns), { repair });
}

const inPieces = (name: string, args: string, characters: number): ModelTurn => ({
  ...respond("Let me look.", call(name, args)),
  chunking: { characters },
});

describe.each(SDK_VARIANTS)("a native call that does not fit: %s, stream %s", (api, stream) => {
  const options: PromptOptions = { stream, more: { tools: declareTool(api, "read", PARAMETERS) } };

  it.each([1, 4, 16, 1000])(
    "a native call reaches the SDK repaired, in deltas of %i characters, and goes back as history",
    async (characters) => {
      const { url, upstream } = await start([inPieces("Read", BROKEN, characters), DONE]);
      const turn = await sendPrompt(api, url, options);
      expect(turn).toMatchObject({ text: "Let me look.", calls: [{ name: "read", arguments: REPAIRED }] });
      expect(await turn.sendResults()).toMatchObject({ text: "Hello." });
      expect(upstream.rejections).toEqual([]);
    },
  );

  it("the record of a repaired call keeps the origin and lists the changes", async () => {
    const running = await start([inPieces("read", BROKEN, 4), DONE]);
    const turn = await sendPrompt(api, running.url, options);
    await turn.sendResults();
    const tool_call_id = turn.calls[0]?.id;
    expect(await eventsAfter(running, 2, "call_repaired")).toMatchObject([
      {
        tool_call_id,
        tool_name: "read",
        classes: ["number-as-text", "json-as-text"],
        paths: ["$.lines", "$.tags"],
        problem: null,
      },
    ]);
    expect(await eventsAfter(running, 2, "tool_call_requested")).toMatchObject([{ tool_call_id, origin: "native" }]);
    expect(await eventsAfter(running, 2, "call_left")).toEqual([]);
    const response = await fetch(`${running.url}/api/call-repairs`);
    const { rows } = (await response.json()) as { rows: { after: string }[] };
    expect(rows).toMatchObject([{ tool_call_id, result: "repaired" }]);
    expect(JSON.parse(rows[0]?.after ?? "")).toEqual(REPAIRED);
    const faults = await fetch(`${running.url}/api/call-faults`);
    expect(await faults.json()).toMatchObject({
      rows: [
        { class: "number-as-text", repaired: 1, left: 0, calls: 1 },
        { class: "json-as-text", repaired: 1, left: 0, calls: 1 },
      ],
    });
    const metrics = await (await fetch(`${running.url}/metrics`)).text();
    expect(metrics).toMatch(/toolmend_call_repairs_total\{model="m",class="json-as-text",result="repaired"\} 1/);
  });

  it("a call that does not fit is only recorded when calls are observed, and not even that when they are off", async () => {
    const observing = await start([inPieces("read", BROKEN, 4)], { mode: "known", calls: { mode: "observe" } });
    const turn = await sendPrompt(api, observing.url, options);
    expect(turn.calls).toMatchObject([{ arguments: JSON.parse(BROKEN) }]);
    expect(await eventsAfter(observing, 1, "call_left")).toMatchObject([
      { tool_call_id: turn.calls[0]?.id, classes: ["number-as-text", "json-as-text"], reason: "observe" },
    ]);
    const off = await start([inPieces("read", BROKEN, 4)], { mode: "known", calls: { mode: "off" } });
    expect((await sendPrompt(api, off.url, options)).calls).toMatchObject([{ arguments: JSON.parse(BROKEN) }]);
    expect(await eventsAfter(off, 1, "call_left")).toEqual([]);
  });

  it("a call that does not fit is repaired although leaks are not looked for", async () => {
    const { url } = await start([inPieces("read", BROKEN, 4)], { mode: "off", calls: { mode: "on" } });
    expect((await sendPrompt(api, url, options)).calls).toMatchObject([{ arguments: REPAIRED }]);
  });

  it("a native call stays as it is when repair is off, and for a denied tool, model or class", async () => {
    const settings: readonly RepairConfig[] = [
      { mode: "off" },
      { mode: "known", deny: ["read"] },
      { mode: "known", calls: { mode: "on", deny: ["re*"] } },
      { mode: "known", calls: { mode: "on", models: { m: "off" } } },
      { mode: "known", calls: { mode: "follow", faults: { values: false } } },
    ];
    for (const repair of settings) {
      const running = await start([inPieces("read", BROKEN, 4)], repair);
      expect((await sendPrompt(api, running.url, options)).calls).toMatchObject([{ arguments: JSON.parse(BROKEN) }]);
    }
  });

  it("a call that does not fit is left after the upstream rejected a request with a repaired call", async () => {
    const rejection = refuse(400, { message: "messages: invalid tool input" });
    const running = await start([inPieces("read", BROKEN, 4), rejection, inPieces("read", BROKEN, 4)]);
    const turn = await sendPrompt(api, running.url, options);
    await expect(turn.sendResults()).rejects.toThrow();
    await eventsAfter(running, 2, "repair_suspended");
    await expect.poll(async () => (await eventsAfter(running, 2, "repair_suspended")).length).toBe(1);
    expect((await sendPrompt(api, running.url, options)).calls).toMatchObject([{ arguments: JSON.parse(BROKEN) }]);
  });

  it("call repair is switched while the server runs", async () => {
    const running = await start([inPieces("read", BROKEN, 4), inPieces("read", BROKEN, 4)]);
    const choose = (mode: string) =>
      fetch(`${running.url}/api/settings/repair`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ of: "calls", mode }),
      });
    expect((await choose("known")).status).toBe(400);
    expect((await choose("off")).status).toBe(200);
    expect((await sendPrompt(api, running.url, options)).calls).toMatchObject([{ arguments: JSON.parse(BROKEN) }]);
    await choose("config");
    expect((await sendPrompt(api, running.url, options)).calls).toMatchObject([{ arguments: REPAIRED }]);
  });
});
