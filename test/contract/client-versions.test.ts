import { join } from "node:path";
import { expect, it } from "vitest";
import { Database } from "../../src/store/sqlite/database.ts";
import { apply, describeEveryStore, store } from "../support/every-store.ts";
import { callObservation, NOON, result } from "../support/observations.ts";
import { startBoth } from "../support/running.ts";
import { respond, say } from "../support/upstream/turn.ts";

describeEveryStore("the version of a client in a store", () => {
  it("the version is reported with each call, and unknown where no source observed it", async () => {
    const known = { client: "claude-code", client_version: "2.1.325", result: result("fine") };
    await apply(
      callObservation({ tool_call_id: "toolu_a", ...known }),
      callObservation({ tool_call_id: "toolu_b", occurred_at: NOON + 1 }),
    );
    const { calls = [] } = (await store.sessionDetail("default", "s1")) ?? {};
    expect(calls.map((call) => [call.tool_call_id, call.client_version])).toEqual([
      ["toolu_a", "2.1.325"],
      ["toolu_b", null],
    ]);
  });
});

it.each([
  ["claude-cli/2.1.325 (external, cli)", { client: "claude-code", client_version: "2.1.325" }],
  ["codex_exec/0.166.0", { client: "codex", client_version: "0.166.0" }],
  // A version without a known client may be that of a browser or of an HTTP library.
  ["Mozilla/5.0", { client: "plain", client_version: null }],
])("the proxy reads the version of a client from the user agent %s", async (userAgent, expected) => {
  const running = await startBoth(() => respond(say("Done.")));
  const call = { id: "call_1", type: "function", function: { name: "bash", arguments: "{}" } };
  const messages = [
    { role: "user", content: "go" },
    { role: "assistant", tool_calls: [call] },
    { role: "tool", tool_call_id: "call_1", content: "fine" },
  ];
  await fetch(`${running.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": userAgent, "x-toolmend-session": "s1" },
    body: JSON.stringify({ model: "m", messages }),
  });
  await running.server.drain();
  const db = new Database(join(running.data, "toolmend.db"), { readOnly: true });
  const rows = db.all("SELECT client, client_version FROM tool_calls");
  db.close();
  await running.close();
  expect(rows.map((row) => ({ ...row }))).toEqual([expected]);
});
