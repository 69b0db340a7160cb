import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ServerOptions } from "../../src/cli/server/server-options.ts";
import type { CallIdApi as Api } from "../../src/core/wire/call-ids.ts";
import type { SessionDetail } from "../../src/store/port.ts";
import { recordedEvents } from "../support/recorded-events.ts";
import { runCommand } from "../support/run-command.ts";
import { getJson, startInFrontOf, temporaryFolder } from "../support/running.ts";
import { type Both, startForTest } from "../support/start-for-test.ts";
import { respond } from "../support/upstream/turn.ts";

async function start(options: Partial<ServerOptions>): Promise<Both> {
  return await startForTest(() => respond("Done."), options);
}

const PATHS: Readonly<Record<Api, string>> = {
  anthropic: "/v1/messages",
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
};

/** A conversation in which one call is made again and again, with the same result. */
function conversation(api: Api, repeats: number, last?: string): object {
  const ids = Array.from({ length: repeats }, (_, at) => `call_${"abcdefghijklmnop".charAt(at)}${at}`);
  const schema = { type: "object", properties: { path: { type: "string" } } };
  const human = last === undefined ? [] : [{ role: "user", content: last }];
  switch (api) {
    case "anthropic":
      return {
        ...{ model: "m", max_tokens: 100, tools: [{ name: "read", input_schema: schema }] },
        messages: [
          { role: "user", content: "Find the bug." },
          ...ids.flatMap((id) => [
            { role: "assistant", content: [{ type: "tool_use", id, name: "read", input: { path: "a" } }] },
            { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "text of a" }] },
          ]),
          ...human,
        ],
      };
    case "chat":
      return {
        ...{ model: "m", tools: [{ type: "function", function: { name: "read", parameters: schema } }] },
        messages: [
          { role: "user", content: "Find the bug." },
          ...ids.flatMap((id) => [
            {
              role: "assistant",
              content: null,
              tool_calls: [{ id, type: "function", function: { name: "read", arguments: '{"path":"a"}' } }],
            },
            { role: "tool", tool_call_id: id, content: "text of a" },
          ]),
          ...human,
        ],
      };
    case "responses":
      return {
        ...{ model: "m", store: false, tools: [{ type: "function", name: "read", parameters: schema, strict: false }] },
        input: [
          { role: "user", content: "Find the bug." },
          ...ids.flatMap((id) => [
            { type: "function_call", call_id: id, name: "read", arguments: '{"path":"a"}' },
            { type: "function_call_output", call_id: id, output: "text of a" },
          ]),
          ...human,
        ],
      };
  }
}

function send(
  { url }: Both,
  api: Api,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(url + PATHS[api], {
    method: "POST",
    headers: {
      ...{ "content-type": "application/json", "x-toolmend-session": "s1", ...headers },
      ...(api === "anthropic"
        ? { "anthropic-version": "2023-06-01", "x-api-key": "k" }
        : { authorization: "Bearer k" }),
    },
    body: JSON.stringify(body),
  });
}

const sent = ({ upstream }: Both): readonly string[] => upstream.requests.map(({ body }) => body.toString());
const notesIn = (text: string): number => text.split("[toolmend]").length - 1;

describe.each(["anthropic", "chat", "responses"] as const)("the guard of a %s conversation", (api) => {
  it("the guard in mode note adds the same notes to every later request", async () => {
    const running = await start({ guard: { mode: "note" } });
    for (let repeats = 1; repeats <= 12; repeats += 1)
      expect((await send(running, api, conversation(api, repeats))).status).toBe(200);
    expect(sent(running).map(notesIn)).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 2]);
  });

  it("the guard in mode stop answers the eleventh repeat itself, and lets the next message of a person pass", async () => {
    const running = await start({ guard: { mode: "stop" } });
    for (let repeats = 1; repeats <= 10; repeats += 1) await send(running, api, conversation(api, repeats));
    for (const _retry of [1, 2, 3]) {
      const refused = await send(running, api, conversation(api, 11));
      expect([refused.status, refused.headers.get("x-should-retry")]).toEqual([400, "false"]);
      const { error } = (await refused.json()) as { readonly error: { readonly message: string } };
      expect(error.message).toBe(
        "Toolmend stopped this agent: the last 11 calls brought nothing new (read, same result). " +
          "Nothing was sent to the model. To go on, write any message. To switch this off: toolmend guard observe",
      );
    }
    expect(running.upstream.requests).toHaveLength(10);
    expect((await send(running, api, conversation(api, 11, "Try something else."))).status).toBe(200);
    expect((await send(running, api, conversation(api, 11), { "x-toolmend-guard": "off" })).status).toBe(200);

    const events = await recordedEvents(running);
    const loops = events.filter(({ type }) => type === "loop_detected");
    expect(loops.map(({ level, kind, run, tools }) => [level, kind, run, tools])).toEqual([
      [3, "repeat", 3, ["read"]],
      [6, "repeat", 6, ["read"]],
      [10, "repeat", 10, ["read"]],
    ]);
    expect(new Set(loops.map(({ event_id }) => event_id)).size).toBe(3);
    const actions = events.flatMap(({ type, guard }) =>
      type === "request_recorded" && guard !== undefined ? [guard] : [],
    );
    expect(actions.filter((guard) => (guard as { readonly action: string }).action === "stop")).toHaveLength(3);
    const metrics = await (await fetch(`${running.url}/metrics`)).text();
    expect(metrics).toContain('toolmend_guard_actions_total{action="note"} 2');
    expect(metrics).toContain('toolmend_guard_actions_total{action="stop"} 1');
    expect(metrics).toContain('toolmend_loops_total{model="m",tool_name="read",kind="repeat",level="3"} 1');
    expect(metrics).toContain('toolmend_proxy_requests_total{upstream="toolmend",status="400"} 3');
    const { suspended } = await getJson<{ readonly suspended: readonly object[] }>(`${running.url}/api/repair`);
    expect(suspended).toEqual([]);
  });

  it("the guard in mode observe leaves every request as it is", async () => {
    const running = await start({});
    await send(running, api, conversation(api, 12));
    expect(sent(running)).toEqual([JSON.stringify(conversation(api, 12))]);
  });
});

describe("what the guard did", () => {
  it("what the guard did is in the timeline of `toolmend show`, its JSON and the API", async () => {
    const data = temporaryFolder();
    const running = await start({ data, guard: { mode: "stop" } });
    for (let repeats = 1; repeats <= 10; repeats += 1) await send(running, "chat", conversation("chat", repeats));
    for (const _retry of [1, 2]) await send(running, "chat", conversation("chat", 11));
    await send(running, "chat", conversation("chat", 11, "Try something else."));
    await recordedEvents(running);
    const text = (await runCommand(["show", "s1", "--data", data])).out;
    const lines = text
      .split("\n")
      .flatMap((line) => /^ *([#!].*)/.exec(line.replace(/\d\d:\d\d:\d\d /, ""))?.[1] ?? []);
    expect(lines).toEqual([
      ...["#1  ✓ read", "#2  ✓ read", "#3  ✓ read", "#4  ✓ read"],
      "! guard: note to the model after a run of 3 (read, same result)",
      ...["#5  ✓ read", "#6  ✓ read", "#7  ✓ read"],
      "! guard: note to the model after a run of 6 (read, same result)",
      ...["#8  ✓ read", "#9  ✓ read", "#10 ✓ read", "#11 ✓ read"],
      "! guard: stopped the agent after a run of 10 (read, same result); 2 requests refused",
    ]);
    const asJson = JSON.parse((await runCommand(["show", "s1", "--json", "--data", data])).out) as SessionDetail;
    const actions = [
      { action: "note", run: 3, kind: "repeat", tools: ["read"], requests: 1, agent_id: "root" },
      { action: "note", run: 6, kind: "repeat", tools: ["read"], requests: 1, agent_id: "root" },
      { action: "stop", run: 10, kind: "repeat", tools: ["read"], requests: 2, agent_id: "root" },
    ];
    expect(asJson.guard).toMatchObject(actions);
    expect((await getJson<SessionDetail>(`${running.url}/api/sessions/s1`)).guard).toMatchObject(actions);
  });
});

describe("the record of what the guard did", () => {
  it("the record contains no secret that a model wrote as the name of a tool", async () => {
    const running = await start({ guard: { mode: "note" } });
    const secret = `ghp_${"aB3dE5fG7hJ9kL1mN2pQ".repeat(2).slice(0, 36)}`;
    const body = JSON.stringify(conversation("chat", 4)).replaceAll('"name":"read"', `"name":"${secret}"`);
    await send(running, "chat", JSON.parse(body) as object);
    const recorded = (await recordedEvents(running)).filter(({ guard }) => guard !== undefined);
    expect(recorded.map(({ guard }) => guard)).toMatchObject([{ action: "note", run: 3 }]);
    expect(JSON.stringify(recorded)).not.toContain(secret);
  });
});

describe("the guard's mode", () => {
  it("the guard's mode changes while the server runs, by upstream and model", async () => {
    const running = await start({});
    const choose = (mode: object): Promise<Response> =>
      fetch(`${running.url}/api/settings/guard`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(mode),
      });
    const status = async (): Promise<number> => (await send(running, "chat", conversation("chat", 11))).status;
    expect(await status()).toBe(200);
    expect((await choose({ mode: "stop", model: "m*" })).status).toBe(200);
    expect(await status()).toBe(400);
    expect((await choose({ mode: "observe", upstream: "openai" })).status).toBe(200);
    expect(await status()).toBe(200);
    expect((await choose({ mode: "stop", upstream: "nowhere" })).status).toBe(400);
    expect(await getJson(`${running.url}/api/guard`)).toMatchObject({
      mode: "observe",
      overrides: [
        { mode: "stop", model: "m*" },
        { mode: "observe", upstream: "openai" },
      ],
    });
  });

  it("the guard's mode is set by the command, and holds after a restart beside the mode of repair", async () => {
    const data = temporaryFolder();
    const running = await start({ data });
    const command = (...args: readonly string[]): ReturnType<typeof runCommand> =>
      runCommand([...args, "--data", data]);
    expect((await command("repair", "observe")).code).toBe(0);
    expect((await command("guard", "stop", "--model", "m*")).out).toContain("stop for model m*");
    await running.server.close();
    const restarted = await startInFrontOf(running.upstream.url, { data });
    try {
      expect((await command("guard")).out).toContain("stop for model m*");
      expect((await command("repair")).out).toContain("observe for everything");
      const refused = await send({ ...running, url: restarted.url }, "chat", conversation("chat", 11));
      expect(refused.status).toBe(400);
    } finally {
      await restarted.close();
      rmSync(data, { recursive: true });
    }
  });
});
