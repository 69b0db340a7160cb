import { afterEach, expect, it } from "vitest";
import type { SessionRow } from "../../src/store/port.ts";
import { getJson, type Running, startInFrontOf } from "../support/running.ts";
import { startUpstream, type Upstream } from "../support/upstream/start-upstream.ts";
import { call, respond } from "../support/upstream/turn.ts";

let upstream: Upstream | undefined;
let running: Running | undefined;
afterEach(async () => {
  await upstream?.close();
  await running?.close();
});

it("calls belong to the client's project, else to the upstream's, else to the default project", async () => {
  upstream = await startUpstream({ script: () => respond(call("Bash", { command: "ls" })) });
  const url = new URL(`${upstream.url}/v1`);
  running = await startInFrontOf(upstream.url, {
    upstreams: new Map([
      ["openai", { name: "openai", url }],
      ["team", { name: "team", url, project: "team-a" }],
    ]),
  });
  const sendRequest = (path: string, session: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${running?.url}${path}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-toolmend-session": session, ...headers },
      body: JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] }),
    });
  await (await sendRequest("/team", "of-the-upstream")).text();
  await (await sendRequest("/team", "of-the-client", { "x-toolmend-project": "team-b" })).text();
  await (await sendRequest("/team", "of-nobody", { "x-toolmend-project": "no name at all" })).text();
  await (await sendRequest("", "of-the-default")).text();
  await running.server.drain();
  const { rows } = await getJson<{ rows: SessionRow[] }>(`${running.url}/api/sessions`);
  expect(Object.fromEntries(rows.map(({ session_id, project }) => [session_id, project]))).toEqual({
    "of-the-upstream": "team-a",
    "of-the-client": "team-b",
    "of-nobody": "team-a",
    "of-the-default": "default",
  });
});
