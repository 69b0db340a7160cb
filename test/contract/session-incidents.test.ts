import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SessionDetail } from "../../src/store/port.ts";
import { eventsAfter } from "../support/recorded-events.ts";
import { sendPrompt } from "../support/repair-clients.ts";
import { runCommand } from "../support/run-command.ts";
import { getJson, temporaryFolder } from "../support/running.ts";
import { type Both, startForTest } from "../support/start-for-test.ts";
import { inOrder } from "../support/upstream/script.ts";
import { call, refuse, respond, type Turn, withFaults } from "../support/upstream/turn.ts";

const LEAK = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';

let data: string;
beforeEach(() => {
  data = temporaryFolder();
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const start = (turns: readonly Turn[], options: Parameters<typeof startForTest>[1] = {}): Promise<Both> =>
  startForTest(inOrder(...turns), { data, ...options });

const ask = ({ url }: Both): Promise<{ readonly sendResults: () => Promise<unknown> }> =>
  sendPrompt("chat", url, {
    stream: true,
    fetch: (input, init) =>
      fetch(input, {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init?.headers)), "x-toolmend-session": "s1" },
      }),
  });

/** The lines of the timeline without numbers of lines and times. */
async function shownLines(): Promise<readonly string[]> {
  const { out } = await runCommand(["show", "s1", "--data", data]);
  return out.split("\n").map((line) => line.replace(/\d\d:\d\d:\d\d /, "").trim());
}

describe("a leak that stayed text", () => {
  it("is in the session's timeline with the call, the reason and the model's text", async () => {
    const running = await start([respond("Reading.", call("read", { path: "b.txt" })), respond(LEAK)], {
      repair: { mode: "observe" },
    });
    const first = await ask(running);
    await first.sendResults();
    await eventsAfter(running, 2, "leak_left");
    const lines = await shownLines();
    expect(lines[2]).toContain(" · 1 leaked call left as text");
    const at = lines.indexOf("! leaked call left as text: read (hermes-json): repair mode is observe");
    expect(lines.slice(at - 1, at + 2)).toEqual(["#1 ✓ read", lines[at], LEAK.replaceAll("\n", " ")]);
    const { leaks } = await getJson<SessionDetail>(`${running.url}/api/sessions/s1`);
    expect(leaks).toMatchObject([{ agent_id: "root", result: "left", reason: "observe", tool_names: ["read"] }]);
    const asJson = JSON.parse((await runCommand(["show", "s1", "--json", "--data", data])).out) as SessionDetail;
    expect(asJson.leaks).toEqual(leaks);
  });

  it("is shown in a session without any call", async () => {
    const running = await start([respond(LEAK)], { repair: { mode: "observe" } });
    await ask(running);
    await eventsAfter(running, 1, "leak_left");
    const lines = await shownLines();
    expect(lines).toContain("No calls in 1 request · 1 leaked call left as text");
    expect(lines).toContain("! leaked call left as text: read (hermes-json): repair mode is observe");
  });

  it("is not repeated if it was repaired: then it is a call", async () => {
    const running = await start([respond(LEAK), respond("Done.")]);
    await (await ask(running)).sendResults();
    await eventsAfter(running, 2, "leak_recovered");
    const lines = await shownLines();
    expect(lines).toContain("#1 ✓ [repaired call] read");
    expect(lines.filter((line) => line.includes("left as text"))).toEqual([]);
  });
});

describe("an exchange that failed", () => {
  it("is in the timeline with its status and upstream, and a client's retries as one line", async () => {
    const running = await start([
      respond("Reading.", call("read", { path: "b.txt" })),
      ...[refuse(429), refuse(429), respond("Done.")],
    ]);
    const first = await ask(running);
    for (const _retry of [1, 2]) await expect(first.sendResults()).rejects.toThrow("429");
    await first.sendResults();
    await eventsAfter(running, 4, "response_recorded");
    const lines = await shownLines();
    expect(lines[2]).toContain(" · 2 failed requests");
    const at = lines.indexOf("! HTTP 429 Too Many Requests from openai (2 times)");
    expect(lines[at - 1]).toBe("#1 ✓ read");
    const { failed_exchanges } = await getJson<SessionDetail>(`${running.url}/api/sessions/s1`);
    const row = { agent_id: "root", http_status: 429, ended: "complete", provider: "openai", model: "m" };
    expect(failed_exchanges).toMatchObject([row, row]);
    const asJson = JSON.parse((await runCommand(["show", "s1", "--json", "--data", data])).out) as SessionDetail;
    expect(asJson.failed_exchanges).toEqual(failed_exchanges);
  });

  it("is shown in a session without any call", async () => {
    const running = await start([refuse(401)]);
    await expect(ask(running)).rejects.toThrow("401");
    await eventsAfter(running, 1, "response_recorded");
    const lines = await shownLines();
    expect(lines).toContain("No calls in 1 request · 1 failed request");
    expect(lines).toContain("! HTTP 401 Unauthorized from openai");
  });

  it.each([
    ["no response", { kind: "reset-before-headers" }, "! no response from openai"],
    ["a response that broke off", { kind: "reset-mid-event", afterEvents: 3 }, "! response from openai broke off"],
  ] as const)("is shown for %s", async (_title, fault, line) => {
    const running = await start([withFaults(respond("Done."), fault)]);
    await ask(running).catch(() => undefined);
    await eventsAfter(running, 1, "response_recorded");
    expect(await shownLines()).toContain(line);
  });
});
