import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SessionDetail } from "../../src/store/port.ts";
import { eventsAfter } from "../support/recorded-events.ts";
import { sendPrompt } from "../support/repair-clients.ts";
import { runCommand } from "../support/run-command.ts";
import { getJson, temporaryFolder } from "../support/running.ts";
import { type Both, startForTest } from "../support/start-for-test.ts";
import { inOrder } from "../support/upstream/script.ts";
import { call, respond, type Turn } from "../support/upstream/turn.ts";

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
