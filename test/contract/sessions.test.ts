import { rmSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import type { SessionRow, Summary } from "../../src/store/port.ts";
import { eventsAfter } from "../support/recorded-events.ts";
import { getJson, type Running, startBoth, startInFrontOf, temporaryFolder } from "../support/running.ts";
import type { Script } from "../support/upstream/script.ts";
import { startUpstream, type Upstream } from "../support/upstream/start-upstream.ts";
import { call, respond } from "../support/upstream/turn.ts";

// Session assignment: related calls share one session, unrelated calls do not, and nothing is counted twice.

type Message = Readonly<Record<string, unknown>>;
type ApiName = "chat" | "anthropic" | "responses";

let running: (Running & { readonly upstream: Upstream }) | undefined;
const folders: string[] = [];
afterEach(async () => {
  await running?.close();
  running = undefined;
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Requests calls until the history has the number of results the client asks for. */
const script: Script = ({ messages, headers }) => {
  const results = JSON.stringify(messages).match(/"tool_result"|"role":"tool"|"function_call_output"/g)?.length ?? 0;
  return results < Number(headers["x-want"] ?? 1)
    ? respond("Next.", call("bash", { step: results }))
    : respond("Done.");
};

const RESULT = "Error: ENOENT: no such file or directory, open 'x'";

interface Api {
  readonly path: string;
  readonly body: (history: readonly Message[], system: string) => Message;
  /** What a client appends to its history: the response, and the results of its calls. */
  readonly turn: (response: Message) => readonly Message[];
}

const APIS: Readonly<Record<ApiName, Api>> = {
  chat: {
    path: "/v1/chat/completions",
    body: (history, system) => ({ model: "m", messages: [{ role: "system", content: system }, ...history] }),
    turn(response) {
      const message = (response.choices as readonly { readonly message: Message }[])[0]?.message as Message;
      const calls = (message.tool_calls ?? []) as readonly Message[];
      return [message, ...calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: RESULT }))];
    },
  },
  anthropic: {
    path: "/v1/messages",
    body: (history, system) => ({
      model: "m",
      max_tokens: 9,
      system,
      tools: [{ name: "bash", input_schema: { type: "object" } }],
      messages: history,
    }),
    turn(response) {
      const calls = (response.content as readonly Message[]).filter(({ type }) => type === "tool_use");
      const results = calls.map(({ id }) => ({
        type: "tool_result",
        tool_use_id: id,
        content: RESULT,
        is_error: true,
      }));
      const more = results.length === 0 ? [] : [{ role: "user", content: results }];
      return [{ role: "assistant", content: response.content }, ...more];
    },
  },
  responses: {
    path: "/v1/responses",
    body: (history, instructions) => ({ model: "m", instructions, input: history, store: false }),
    turn(response) {
      const output = response.output as readonly Message[];
      const calls = output.filter(({ type }) => type === "function_call");
      return [...output, ...calls.map(({ call_id }) => ({ type: "function_call_output", call_id, output: RESULT }))];
    },
  },
};

interface Run {
  readonly api?: ApiName;
  readonly headers?: Readonly<Record<string, string>>;
  readonly history?: readonly Message[];
  /** Number of results the history has at the end. */
  readonly resultCount?: number;
  readonly system?: () => string;
}

/** Runs an agent from its first request to the response without a call; returns its history. */
async function run(
  url: string,
  { api = "chat", headers = {}, history = [], resultCount = 1, system = () => "Help." }: Run,
): Promise<readonly Message[]> {
  const { path, body, turn } = APIS[api];
  const messages = [...history];
  if (messages.length === 0) messages.push({ role: "user", content: "List the files." });
  for (;;) {
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: "Bearer k",
        "x-want": String(resultCount),
        ...headers,
      },
      body: JSON.stringify(body(messages, system())),
    });
    const added = turn((await response.json()) as Message);
    messages.push(...added);
    if (added.length === 1) return messages;
  }
}

async function start(data?: string): Promise<Running & { readonly upstream: Upstream }> {
  running = await startBoth(script, data === undefined ? {} : { data });
  return running;
}

async function sessions({ server }: Running): Promise<readonly SessionRow[]> {
  return (await getJson<{ rows: SessionRow[] }>(`${server.url}/api/sessions?limit=100`)).rows;
}

function summary({ server }: Running): Promise<Summary> {
  return getJson<Summary>(`${server.url}/api/summary`);
}

describe.each(["chat", "anthropic", "responses"] as const)("clients that send no id, on %s", (api) => {
  it("20 parallel runs of one prompt are 20 sessions", async () => {
    const both = await start();
    await Promise.all(Array.from({ length: 20 }, () => run(both.server.url, { api, resultCount: 2 })));
    await eventsAfter(both, 60, "tool_call_recorded");
    expect((await sessions(both)).map(({ calls, failed, requests }) => [calls, failed, requests])).toEqual(
      Array.from({ length: 20 }, () => [2, 2, 3]),
    );
    expect(await summary(both)).toMatchObject({ calls: 40, failed: 40, pending: 0, sessions: 20 });
  });

  it("a system prompt with a changing clock stays one session", async () => {
    const both = await start();
    const clock = [1, 2, 3, 4].values();
    await run(both.server.url, { api, resultCount: 3, system: () => `It is ${clock.next().value} o'clock.` });
    await eventsAfter(both, 4, "tool_call_recorded");
    expect(await summary(both)).toMatchObject({ calls: 3, sessions: 1, requests: 4 });
  });

  it("another API key is another session", async () => {
    const both = await start();
    const history = await run(both.server.url, { api });
    await run(both.server.url, { api, history, headers: { authorization: "Bearer other" } });
    await eventsAfter(both, 3, "tool_call_recorded");
    expect(await summary(both)).toMatchObject({ calls: 1, sessions: 2 });
  });
});

describe.each([
  ["Claude Code", "anthropic", "x-claude-code-session-id"],
  ["Codex", "responses", "session-id"],
  ["opencode", "chat", "x-session-id"],
  ["any client with the x-toolmend-session header", "chat", "x-toolmend-session"],
] as const)("%s", (_client, api, header) => {
  it("a fork is a new session and counts nothing twice", async () => {
    const both = await start();
    const history = await run(both.server.url, { api, resultCount: 2, headers: { [header]: "original" } });
    await eventsAfter(both, 3, "tool_call_recorded");
    const forked = [...history, { role: "user", content: "And now?" }];
    await run(both.server.url, { api, history: forked, resultCount: 3, headers: { [header]: "fork" } });
    await eventsAfter(both, 5, "tool_call_recorded");
    const rows = new Map((await sessions(both)).map(({ session_id, calls }) => [session_id, calls]));
    expect(rows).toEqual(
      new Map([
        ["original", 2],
        ["fork", 1],
      ]),
    );
    expect(await summary(both)).toMatchObject({ calls: 3, failed: 3, sessions: 2 });
  });

  it("--continue keeps the id: after a restart of the proxy, old results are not counted again", async () => {
    const data = temporaryFolder();
    folders.push(data);
    const upstream = await startUpstream({ script });
    const headers = { [header]: "kept" };
    const before = await startInFrontOf(upstream.url, { data });
    const history = await run(before.server.url, { api, resultCount: 2, headers });
    await eventsAfter(before, 3, "tool_call_recorded");
    await before.close();
    const after = await startInFrontOf(upstream.url, { data });
    running = { ...after, upstream, close: () => upstream.close().then(() => after.close()) };
    const more = [...history, { role: "user", content: "And now?" }];
    await run(after.server.url, { api, history: more, resultCount: 3, headers });
    await eventsAfter(after, 5, "tool_call_recorded");
    expect(await summary(after)).toMatchObject({ calls: 3, failed: 3, sessions: 1, requests: 5 });
    expect(await sessions(after)).toMatchObject([{ session_id: "kept", calls: 3 }]);
  });
});

describe("subagents", () => {
  it.each([
    ["Claude Code", "anthropic", { "x-claude-code-session-id": "s" }, { "x-claude-code-agent-id": "a1" }],
    ["Codex", "responses", { "session-id": "s", "thread-id": "s" }, { "thread-id": "t1" }],
    [
      "Codex by name",
      "responses",
      { "session-id": "s", "x-codex-turn-metadata": '{"agent_name":"/root","thread_id":"s"}' },
      { "x-codex-turn-metadata": '{"agent_name":"/root/reviewer","thread_id":"t1"}' },
    ],
    ["own header", "chat", { "x-toolmend-session": "s" }, { "x-toolmend-agent": "helper" }],
  ] as const)(
    "subagents of %s are separate threads in one session, even with the same call ids",
    async (_client, api, root, sub) => {
      const sameIds: Script = (request) => {
        const response = script(request) as ReturnType<typeof respond>;
        return {
          ...response,
          blocks: response.blocks.map((block) => (block.kind === "call" ? { ...block, id: "call_0" } : block)),
        };
      };
      running = await startBoth(sameIds);
      await run(running.server.url, { api, headers: root });
      await run(running.server.url, { api, headers: { ...root, ...sub } });
      const calls = await eventsAfter(running, 4, "tool_call_recorded");
      expect(calls.map(({ session_id, tool_call_id }) => [session_id, tool_call_id])).toEqual([
        ["s", "call_0"],
        ["s", "call_0"],
      ]);
      expect(calls.map(({ agent_id }) => agent_id)).toEqual(["root", expect.not.stringMatching(/^root$/)]);
      expect(await summary(running)).toMatchObject({ calls: 2, sessions: 1 });
    },
  );
});
