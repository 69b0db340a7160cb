import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { dataFolder } from "../../src/ingest/data-folder.ts";
import type { SessionRow, TurnRow, UsageRow } from "../../src/store/port.ts";
import { CodexRollout } from "../support/codex-rollout.ts";
import { NOON } from "../support/observations.ts";
import { runCommand } from "../support/run-command.ts";
import { getJson, type Running, startBoth, temporaryFolder } from "../support/running.ts";
import { inOrder } from "../support/upstream/script.ts";
import { call, type ModelTurn, respond } from "../support/upstream/turn.ts";

let running: Running | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const USAGE = { inputTokens: 70, outputTokens: 5, cachedInputTokens: 30 };
const READ = { type: "object", properties: { path: { type: "string" } } };
const TURN: ModelTurn = { ...respond("I look.", call("read", { path: "a.txt" }, "call_a")), usage: USAGE };

type Api = "anthropic" | "chat" | "responses";
const PATH = { anthropic: "/v1/messages", chat: "/v1/chat/completions", responses: "/v1/responses" } as const;
const BODY = {
  anthropic: {
    ...{ model: "m", max_tokens: 100, messages: [{ role: "user", content: "go" }] },
    tools: [{ name: "read", input_schema: READ }],
  },
  chat: {
    ...{ model: "m", messages: [{ role: "user", content: "go" }] },
    tools: [{ type: "function", function: { name: "read", parameters: READ } }],
  },
  responses: { model: "m", input: "go", tools: [{ type: "function", name: "read", parameters: READ }] },
} as const;

async function send(api: Api, body: object, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const response = await fetch(`${running?.url}${PATH[api]}`, {
    method: "POST",
    headers: {
      ...{ "content-type": "application/json", "x-toolmend-session": "s1", "anthropic-version": "2023-06-01" },
      ...{ authorization: "Bearer key", "x-api-key": "key" },
      ...headers,
    },
    body: JSON.stringify({ ...BODY[api], ...body }),
  });
  expect(response.status).toBe(200);
  const text = await response.text();
  await running?.server.drain();
  return text;
}

async function rowsOf<T>(path: string): Promise<readonly T[]> {
  return (await getJson<{ readonly rows: readonly T[] }>(`${running?.url}${path}`)).rows;
}

// The Messages API reports cached input beside the rest, the other two in it.
const INPUT = { anthropic: 100, chat: 70, responses: 70 } as const;

describe.each(["anthropic", "chat", "responses"] as const)("the tokens of %s through the proxy", (api) => {
  it.each([
    ["JSON", {}],
    ["a stream", { stream: true, ...(api === "chat" && { stream_options: { include_usage: true } }) }],
  ])("tokens are recorded from %s, by response, session and model", async (_form, form) => {
    running = await startBoth(() => TURN);
    await send(api, form);
    const tokens = { input_tokens: INPUT[api], output_tokens: 5, cached_tokens: 30 };
    expect(await rowsOf<TurnRow>("/api/turns/s1")).toMatchObject([{ turn: "call_a", model_name: "m", ...tokens }]);
    expect(await rowsOf<SessionRow>("/api/sessions")).toMatchObject([{ session_id: "s1", ...tokens }]);
    expect(await rowsOf<UsageRow>("/api/usage")).toMatchObject([{ key: "m", responses: 1, ...tokens }]);
    const metrics = await (await fetch(`${running.url}/metrics`)).text();
    expect(
      metrics.split("\n").filter((line) => /^toolmend_tokens_total\{.*(?:input|output|cached)"/.test(line)),
    ).toEqual([
      `toolmend_tokens_total{model="m",kind="input"} ${INPUT[api]}`,
      'toolmend_tokens_total{model="m",kind="output"} 5',
      'toolmend_tokens_total{model="m",kind="cached"} 30',
    ]);
  });

  it("tokens of a response without calls count for the session", async () => {
    running = await startBoth(() => ({ ...respond("Done."), usage: USAGE }));
    await send(api, {});
    expect(await rowsOf<TurnRow>("/api/turns/s1")).toMatchObject([{ turn: null, output_tokens: 5 }]);
    expect(await rowsOf<SessionRow>("/api/sessions")).toMatchObject([{ calls: 0, output_tokens: 5 }]);
  });

  it("tokens of a repaired response are those of the upstream", async () => {
    const leak = 'I look.\n<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';
    running = await startBoth(() => ({ ...respond(leak), usage: USAGE }), { repair: { mode: "known" } });
    const stream = { stream: true, ...(api === "chat" && { stream_options: { include_usage: true } }) };
    expect(await send(api, stream)).not.toContain("<tool_call>");
    expect(await rowsOf<TurnRow>("/api/turns/s1")).toMatchObject([
      { turn: expect.stringMatching(/./), input_tokens: INPUT[api], output_tokens: 5 },
    ]);
  });
});

it("a Chat stream without a usage chunk leaves the tokens of the session unknown", async () => {
  running = await startBoth(() => TURN);
  await send("chat", { stream: true });
  expect(await rowsOf<SessionRow>("/api/sessions")).toMatchObject([{ input_tokens: null, output_tokens: null }]);
  expect(await rowsOf<UsageRow>("/api/usage?by=all")).toEqual([]);
});

describe("an imported transcript of a session that the proxy recorded", () => {
  const importFile = async (name: string, text: string): Promise<void> => {
    const folder = join(temporaryFolder(), "transcripts");
    mkdirSync(folder);
    writeFileSync(join(folder, name), text);
    const { data } = running as Running;
    const { code, out } = await runCommand(["import", folder, "--data", data, "--json"]);
    expect([code, JSON.parse(out)]).toMatchObject([0, { files_read: 1 }]);
    await running?.server.drain();
  };

  it("a transcript of Claude Code adds only the responses that the proxy did not see", async () => {
    const session = "5e551011-0000-4000-8000-000000000002";
    running = await startBoth(() => TURN);
    const text = await send("anthropic", {}, { "x-toolmend-session": session, "user-agent": "claude-cli/2.1.325" });
    const { id } = JSON.parse(text) as { readonly id: string };
    const line = (message: object, at: number): string =>
      JSON.stringify({
        ...{ type: "assistant", sessionId: session, timestamp: new Date(NOON + at).toISOString() },
        message: { type: "message", role: "assistant", model: "m", content: [{ type: "text", text: "x" }], ...message },
      });
    const usage = { input_tokens: 70, cache_read_input_tokens: 30, output_tokens: 2 };
    await importFile(
      "session.jsonl",
      [
        line({ id, usage }, 0),
        line({ id: "msg_other", usage: { input_tokens: 7, output_tokens: 1 } }, 1000),
        line({ id: "msg_error", model: "<synthetic>", usage: { input_tokens: 0, output_tokens: 0 } }, 2000),
        "",
      ].join("\n"),
    );
    expect(await rowsOf<SessionRow>("/api/sessions")).toMatchObject([
      { session_id: session, source: "proxy+transcript", input_tokens: 107, output_tokens: 6, cached_tokens: 30 },
    ]);
    expect(await rowsOf<TurnRow>(`/api/turns/${session}`)).toHaveLength(2);
  });

  it("a transcript of Codex adds only the responses that the proxy did not see", async () => {
    running = await startBoth(() => TURN);
    await send("responses", {}, { "x-toolmend-session": "thread-1", "user-agent": "codex_exec/0.166.0" });
    const seen = { input_tokens: 70, cached_input_tokens: 30, output_tokens: 5, reasoning_output_tokens: 0 };
    const other = { input_tokens: 90, cached_input_tokens: 70, output_tokens: 9, reasoning_output_tokens: 4 };
    const tokenCount = (last: object, total: number): object => ({
      type: "token_count",
      info: { last_token_usage: last, total_token_usage: { total_tokens: total } },
    });
    const rollout = new CodexRollout().turn("turn-1", "go").call("call_a");
    rollout.line("event_msg", { ...tokenCount(seen, 75) }).output("call_a");
    rollout.line("event_msg", { ...tokenCount(other, 174) });
    await importFile("rollout-2026-03-10T12-00-00-thread-1.jsonl", rollout.text());
    expect(await rowsOf<SessionRow>("/api/sessions")).toMatchObject([
      { session_id: "thread-1", input_tokens: 160, output_tokens: 14, cached_tokens: 100, reasoning_tokens: 4 },
    ]);
    expect(
      (await rowsOf<TurnRow>("/api/turns/thread-1")).map(({ turn, input_tokens }) => [turn, input_tokens]),
    ).toEqual(
      expect.arrayContaining([
        ["call_a", 70],
        [null, 90],
      ]),
    );
  });

  it("a transcript in Toolmend's own format adds nothing, and restores the tokens in an empty store", async () => {
    running = await startBoth(inOrder(TURN, { ...respond("Done."), usage: { inputTokens: 9, outputTokens: 3 } }));
    await send("chat", {});
    await send("chat", {});
    const sums = await rowsOf<UsageRow>("/api/usage");
    expect(sums).toMatchObject([{ key: "m", responses: 2, input_tokens: 79, output_tokens: 8 }]);
    const { events } = dataFolder(running.data);
    await runCommand(["import", events, "--data", running.data]);
    await running.server.drain();
    expect(await rowsOf<UsageRow>("/api/usage")).toEqual(sums);
    const other = temporaryFolder();
    await runCommand(["import", events, "--data", other]);
    const { out } = await runCommand(["report", "--by", "model", "--data", other, "--json"]);
    expect((JSON.parse(out) as { readonly usage: object }).usage).toEqual({
      total: { ...sums[0], key: "all" },
      rows: sums,
    });
  });
});

describe("tokens on the command line", () => {
  it("the commands sessions, show and report print tokens", async () => {
    running = await startBoth(() => ({
      ...TURN,
      usage: { inputTokens: 12_345, outputTokens: 678, cachedInputTokens: 9000 },
    }));
    await send("chat", {});
    const at = ["--data", running.data];
    const toolmend = async (...args: readonly string[]): Promise<string> =>
      (await runCommand([...args, ...at], { now: Date.now, width: 200 })).out;
    expect(await toolmend("sessions")).toMatch(/INPUT\s+OUTPUT[^\n]*\n[^\n]*12\.3k\s+678/);
    expect(JSON.parse(await toolmend("sessions", "--json"))).toMatchObject([
      { input_tokens: 12_345, output_tokens: 678, cached_tokens: 9000, cache_write_tokens: null, reasoning_tokens: 0 },
    ]);
    expect(await toolmend("sessions", "--csv")).toContain(
      "input_tokens,output_tokens,cached_tokens,cache_write_tokens,reasoning_tokens,",
    );
    const line = "Tokens: 12.3k input (9.0k cached), 678 output\n";
    expect(await toolmend("show", "s1")).toContain(line);
    expect(JSON.parse(await toolmend("show", "s1", "--json"))).toMatchObject({
      turns: [{ turn: "call_a", input_tokens: 12_345 }],
    });
    expect(await toolmend("report")).toContain(line);
    expect(await toolmend("report", "--by", "model")).toMatch(
      /MODEL\s+RESPONSES\s+INPUT\s+CACHED\s+OUTPUT\s+REASONING\s*\nm\s+1\s+12\.3k\s+9\.0k\s+678\s+0/,
    );
    expect(JSON.parse(await toolmend("report", "--by", "day", "--json"))).toMatchObject({
      usage: { total: { key: "all", input_tokens: 12_345 }, rows: [{ responses: 1, input_tokens: 12_345 }] },
    });
  });
});
