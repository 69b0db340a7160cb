// The defects of the failure-detecting proxy that preceded Toolmend, in the order of docs/decisions/proxy-originals.md.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createMetrics } from "../../src/export/prometheus.ts";
import { Journal } from "../../src/ingest/journal/journal.ts";
import { Recorder } from "../../src/ingest/recorder.ts";
import type { Summary } from "../../src/store/port.ts";
import { Database } from "../../src/store/sqlite/database.ts";
import { callObservation } from "../support/observations.ts";
import { send, until } from "../support/raw-http.ts";
import { getJson, type Running, startInFrontOf, temporaryFolder } from "../support/running.ts";
import { createTestStore } from "../support/test-store.ts";
import type { ParsedRequest } from "../support/upstream/parsed-request.ts";
import { startUpstream, type Upstream } from "../support/upstream/start-upstream.ts";
import { call, refuse, respond, say } from "../support/upstream/turn.ts";

const open: { close(): Promise<void> }[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder;
}

async function upstreamOf(
  script: (request: ParsedRequest) => ReturnType<typeof respond> = () => respond(say("ok")),
): Promise<Upstream> {
  const upstream = await startUpstream({ script, flavor: "local" });
  open.push(upstream);
  return upstream;
}

async function proxyTo(upstream: Upstream, data: string): Promise<Running> {
  const running = await startInFrontOf(upstream.url, { data });
  open.push(running);
  return running;
}

async function stop(running: Running): Promise<void> {
  open.splice(open.indexOf(running), 1);
  await running.close();
}

const HEAD = { "content-type": "application/json", "anthropic-version": "2023-06-01", "x-api-key": "k" };

/** A Messages history in which `Bash` was called once. */
function history(id: string, result: unknown, isError?: boolean): readonly object[] {
  return [
    { role: "user", content: "go" },
    { role: "assistant", content: [{ type: "tool_use", id, name: "Bash", input: { command: "x" } }] },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: id, content: result, ...(isError !== undefined && { is_error: isError }) },
      ],
    },
  ];
}

async function messages(
  url: string,
  list: readonly object[],
  extra: object = {},
  headers: object = {},
): ReturnType<typeof send> {
  return await send(
    `${url}/v1/messages`,
    { headers: { ...HEAD, ...headers } },
    JSON.stringify({ model: "m-1", max_tokens: 64, messages: list, ...extra }),
  );
}

async function chat(url: string, list: readonly object[], headers: object = {}): ReturnType<typeof send> {
  return await send(
    `${url}/v1/chat/completions`,
    { headers: { "content-type": "application/json", ...headers } },
    JSON.stringify({ model: "m-2", messages: list }),
  );
}

function chatHistory(id: string, result: unknown): readonly object[] {
  return [
    { role: "user", content: "go" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id, type: "function", function: { name: "run", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: id, content: result },
  ];
}

async function stored(url: string, calls: number): Promise<Summary> {
  await until(`${calls} calls are stored`, async () => (await getJson<Summary>(`${url}/api/summary`)).calls === calls);
  return await getJson<Summary>(`${url}/api/summary`);
}

function rows(data: string, sql: string): readonly Record<string, unknown>[] {
  const db = new Database(join(data, "toolmend.db"), { readOnly: true });
  const found = db.all(sql);
  db.close();
  return found;
}

describe("counting", () => {
  it("one failing call in a conversation of 20 requests is one call and one failure, even with restarts in between (L1)", async () => {
    const [upstream, data] = [await upstreamOf(), newFolder()];
    let running = await proxyTo(upstream, data);
    const list = [...history("toolu_aaaaaaaaaaaa", "boom", true)];
    for (let turn = 0; turn < 20; turn += 1) {
      await messages(running.url, list);
      list.push({ role: "assistant", content: "ok" }, { role: "user", content: `and ${turn}` });
      if (turn % 7 === 6) {
        await stop(running);
        running = await proxyTo(upstream, data);
      }
    }
    await until(
      "all requests are stored",
      async () => (await getJson<Summary>(`${running.url}/api/summary`)).requests === 20,
    );
    expect(await getJson<Summary>(`${running.url}/api/summary`)).toMatchObject({ calls: 1, failed: 1, sessions: 1 });
  });

  it("a call and its result are exactly one row for the id, with arguments and outcome (L2)", async () => {
    const upstream = await upstreamOf(({ messages: list }) =>
      list.length === 1 ? respond(call("Bash", { command: "x" }, "toolu_bbbbbbbbbbbb")) : respond(say("ok")),
    );
    const data = newFolder();
    const { url } = await proxyTo(upstream, data);
    await messages(url, [{ role: "user", content: "go" }]);
    await messages(url, history("toolu_bbbbbbbbbbbb", "boom", true));
    await stored(url, 1);
    const found = rows(data, "SELECT tool_call_id, status, record FROM calls");
    expect(found.map(({ tool_call_id, status }) => [tool_call_id, status])).toEqual([["toolu_bbbbbbbbbbbb", "failed"]]);
    expect(JSON.parse(String(found[0]?.record))).toMatchObject({
      facts: { arguments: { value: { size_bytes: 15 } }, result: { value: { size_bytes: 4 } } },
    });
  });

  it("a request with both the call and its output increments each counter once; a replay does not (L3, L4)", async () => {
    const { url } = await proxyTo(await upstreamOf(), newFolder());
    const body = JSON.stringify({
      model: "m-3",
      store: false,
      input: [
        { role: "user", content: "go" },
        { type: "function_call", call_id: "call_cccccccccccc", name: "shell", arguments: "{}" },
        {
          type: "function_call_output",
          call_id: "call_cccccccccccc",
          output: "Exit code: 2\nWall time: 1 s\nOutput:\nno",
        },
      ],
    });
    const metrics = async (): Promise<readonly string[]> =>
      [
        ...(await (await fetch(`${url}/metrics`)).text()).matchAll(
          /^toolmend_tool_(?:calls|result_failures)_total\{.*$/gm,
        ),
      ].map(([line]) => line);
    for (const _twice of [1, 2])
      await send(
        `${url}/v1/responses`,
        { headers: { "content-type": "application/json", authorization: "Bearer k" } },
        body,
      );
    await stored(url, 1);
    await until("both requests are stored", async () => (await getJson<Summary>(`${url}/api/summary`)).requests === 2);
    expect(await metrics()).toEqual([
      'toolmend_tool_calls_total{provider="openai",model="m-3",tool_name="shell",outcome="failed"} 1',
      'toolmend_tool_result_failures_total{provider="openai",model="m-3",tool_name="shell",category="exit_code"} 1',
    ]);
  });

  it("a conversation twice as long takes about twice the space, not four times (L24)", async () => {
    const size = async (turns: number): Promise<number> => {
      const [upstream, data] = [await upstreamOf(), newFolder()];
      const running = await proxyTo(upstream, data);
      const list: object[] = [{ role: "user", content: "go" }];
      for (let turn = 0; turn < turns; turn += 1) {
        list.push(...history(`toolu_turn${String(turn).padStart(8, "0")}`, "x".repeat(300)).slice(1));
        await messages(running.url, list);
      }
      await stored(running.url, turns);
      await running.server.drain();
      await stop(running);
      return readdirSync(data, { recursive: true })
        .map((name) => statSync(join(data, String(name))))
        .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
    };
    const [short, long] = [await size(50), await size(100)];
    expect(long / short).toBeLessThan(2.4);
  });
});

describe("names, models and sessions", () => {
  it("the tool name is known although the proxy started between call and result (L5)", async () => {
    const { url, server } = await proxyTo(await upstreamOf(), newFolder());
    await messages(url, history("toolu_dddddddddddd", "boom", true));
    await stored(url, 1);
    expect(await server.store.breakdown("tool", {})).toMatchObject([{ key: "Bash" }]);
  });

  it("the failure rate by model has real model names (L11)", async () => {
    const { url, server } = await proxyTo(await upstreamOf(), newFolder());
    await messages(url, history("toolu_eeeeeeeeeeee", "boom", true));
    await chat(url, chatHistory("call_eeeeeeeeeeee", "Error: the disk is full"));
    await stored(url, 2);
    expect((await server.store.breakdown("model", {})).map(({ key, failed }) => [key, failed]).sort()).toEqual([
      ["m-1", 1],
      ["m-2", 1],
    ]);
  });

  it("an invalid or oversized session id is not used, from any source (L26)", async () => {
    const { url } = await proxyTo(await upstreamOf(), newFolder());
    for (const bad of ["../../etc/passwd", "a".repeat(256), "x\u0001y".replace("\u0001", " ")]) {
      await messages(
        url,
        history("toolu_ffffffffffff", "boom", true),
        { metadata: { user_id: JSON.stringify({ session_id: bad }) } },
        { "x-session-id": bad },
      );
    }
    await stored(url, 1);
    const { rows: sessions } = await getJson<{ rows: { session_id: string }[] }>(`${url}/api/sessions`);
    expect(sessions.map(({ session_id }) => /^derived-[0-9a-f]{24}$/.test(session_id))).toEqual([true]);
  });

  it("a client without session headers has one session per conversation, not one per request (L27)", async () => {
    const { url } = await proxyTo(
      await upstreamOf(({ messages: list }) =>
        list.length === 1 ? respond(call("run", {}, "call_gggggggggggg")) : respond(say("ok")),
      ),
      newFolder(),
    );
    await chat(url, [{ role: "user", content: "go" }]);
    const list = chatHistory("call_gggggggggggg", "done");
    await chat(url, list);
    await chat(url, [...list, { role: "assistant", content: "ok" }, { role: "user", content: "more" }]);
    await until("three requests are stored", async () => (await getJson<Summary>(`${url}/api/summary`)).requests === 3);
    expect(await getJson<Summary>(`${url}/api/summary`)).toMatchObject({ sessions: 1, calls: 1 });
  });
});

describe("outcomes", () => {
  it("a file that mentions errors is not a failure (L7)", async () => {
    const { url } = await proxyTo(await upstreamOf(), newFolder());
    const text = `1\timport x\n${"2\tconst a = 1;\n".repeat(20)}99\tthrow new Error("cannot: invalid, not found, error: bad")\n`;
    const read = history("toolu_hhhhhhhhhhhh", text) as { content: { name: string }[] }[];
    (read[1] as { content: { name: string }[] }).content[0] = {
      ...(read[1]?.content[0] as object),
      name: "Read",
      input: { file_path: "/a.ts" },
    } as never;
    await messages(url, read);
    expect(await stored(url, 1)).toMatchObject({ failed: 0, soft: 0 });
  });

  it("the same text gets the same outcome through every API (L8)", async () => {
    const { url, server } = await proxyTo(await upstreamOf(), newFolder());
    const text = "Exit code: 3\nWall time: 0.1 seconds\nOutput:\nabc";
    await chat(url, chatHistory("call_iiiiiiiiiiii", text));
    const input = [
      { role: "user", content: "go" },
      { type: "function_call", call_id: "call_jjjjjjjjjjjj", name: "run", arguments: "{}" },
      { type: "function_call_output", call_id: "call_jjjjjjjjjjjj", output: text },
    ];
    await send(
      `${url}/v1/responses`,
      { headers: { "content-type": "application/json" } },
      JSON.stringify({ model: "m", input }),
    );
    await stored(url, 2);
    expect(await server.store.breakdown("category", {})).toMatchObject([{ key: "exit_code", failed: 2 }]);
  });

  it("an unknown outcome is never shown as success (L9)", async () => {
    const { url } = await proxyTo(await upstreamOf(), newFolder());
    await chat(url, chatHistory("call_kkkkkkkkkkkk", ""));
    expect(await stored(url, 1)).toMatchObject({ ok: 0, failed: 0, unknown: 1, failure_rate: null });
  });

  it("a result given as content parts is read with its size and its error (L10)", async () => {
    const data = newFolder();
    const { url } = await proxyTo(await upstreamOf(), data);
    await chat(url, chatHistory("call_llllllllllll", [{ type: "text", text: "Error: connection refused" }]));
    expect(await stored(url, 1)).toMatchObject({ failed: 1 });
    expect(rows(data, "SELECT output_size_bytes FROM calls")).toMatchObject([{ output_size_bytes: 25 }]);
  });
});

describe("recorded exchanges", () => {
  it("every request has its own tokens, cache tokens and stop reason, streamed ones too (L18, L28)", async () => {
    const data = newFolder();
    const upstream = await upstreamOf(({ nth }) => ({
      ...respond(say("ok")),
      usage: { inputTokens: 100 * (nth + 1), outputTokens: 7, cachedInputTokens: 40 },
      stopReason: nth === 0 ? "length" : "end",
    }));
    const { url } = await proxyTo(upstream, data);
    for (const turn of [0, 1]) await messages(url, [{ role: "user", content: "go" }], { stream: turn === 0 });
    await until(
      "both answers are stored",
      () => rows(data, "SELECT 1 FROM requests WHERE ended IS NOT NULL").length === 2,
    );
    const responses = rows(data, "SELECT record FROM requests ORDER BY started_at").map(
      ({ record }) =>
        (JSON.parse(String(record)) as { response: { stop_reason: string; usage: Record<string, number> } }).response,
    );
    const usage = { output_tokens: 7, cached_tokens: 40, cache_write_tokens: 0 };
    expect(responses).toMatchObject([
      { stop_reason: "max_tokens", usage },
      { stop_reason: "end_turn", usage },
    ]);
    expect(Number(responses[1]?.usage.input_tokens)).toBeGreaterThan(Number(responses[0]?.usage.input_tokens));
  });

  it("observations that the journal cannot accept are counted and shown in the metrics (L20)", async () => {
    const folder = newFolder();
    mkdirSync(join(folder, "journal"));
    const recorder = new Recorder({
      journal: new Journal({ folder: join(folder, "journal"), spoolBytes: 400 }),
      store: { ...createTestStore(), apply: () => new Promise(() => undefined) },
      rejectedFile: join(folder, "rejected.jsonl"),
    });
    void recorder.start();
    for (let at = 0; at < 5; at += 1) await recorder.record([callObservation({ tool_call_id: `toolu_full${at}` })]);
    expect(recorder.totals).toMatchObject({ acknowledged: 1, dropped: 4 });
    const { text } = await createMetrics(() => ({
      ...recorder.totals,
      unapplied_bytes: recorder.unappliedBytes,
    })).render();
    expect(text).toContain("toolmend_ingest_dropped_total 4");
  });

  it("a stop right after the traffic loses nothing (L21)", async () => {
    const [upstream, data] = [await upstreamOf(), newFolder()];
    const running = await proxyTo(upstream, data);
    await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        messages(running.url, history(`toolu_stop${String(at).padStart(8, "0")}`, "boom", true)),
      ),
    );
    await stop(running);
    expect(rows(data, "SELECT count(*) AS n FROM tool_calls")).toMatchObject([{ n: 30 }]);
  });

  it("the client's key is forwarded, a 401 stays a 401, and nothing is retried (L30)", async () => {
    const upstream = await upstreamOf(() => refuse(401) as never);
    const { url } = await proxyTo(upstream, newFolder());
    const got = await messages(url, [{ role: "user", content: "go" }], {}, { "x-api-key": "mine" });
    expect(got.status).toBe(401);
    expect(upstream.requests).toHaveLength(1);
    expect(upstream.requests[0]?.rawHeaders).toContain("mine");
  });
});

describe("the tests that the failure-detection design names", () => {
  const fail = async (): Promise<{ url: string; data: string; running: Running }> => {
    const data = newFolder();
    const running = await proxyTo(await upstreamOf(), data);
    await messages(running.url, history("toolu_seed00000001", "Exit code 1\nboom", true));
    await stored(running.url, 1);
    return { url: running.url, data, running };
  };

  it("a tool failure is recorded in SQLite (test_tool_failure_recorded_to_sqlite)", async () => {
    const { data } = await fail();
    expect(
      rows(data, "SELECT session_id IS NOT NULL AS s, model_name, tool_name, call_count, error_count FROM tool_calls"),
    ).toMatchObject([{ s: 1, model_name: "m-1", tool_name: "Bash", call_count: 1, error_count: 1 }]);
  });

  it("a tool failure is counted in the metrics (test_tool_failure_metrics_emitted)", async () => {
    const { url } = await fail();
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text).toContain(
      'toolmend_tool_result_failures_total{provider="anthropic",model="m-1",tool_name="Bash",category="exit_code"} 1',
    );
    expect(text).toContain(
      'toolmend_tool_calls_total{provider="anthropic",model="m-1",tool_name="Bash",outcome="failed"} 1',
    );
  });

  it("a tool failure is in the event files (test_tool_failure_in_jsonl)", async () => {
    const { data, running } = await fail();
    await running.server.drain();
    const lines = readdirSync(join(data, "events")).flatMap((name) =>
      readFileSync(join(data, "events", name), "utf8")
        .trim()
        .split("\n"),
    );
    const recorded = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ type }) => type === "tool_call_recorded");
    expect(recorded).toMatchObject([
      {
        type: "tool_call_recorded",
        tool_name: "Bash",
        tool_call_id: "toolu_seed00000001",
        success: false,
        execution_time_ms: null,
        output_size_bytes: 16,
        input_size_bytes: 15,
      },
    ]);
    expect(Object.keys(recorded[0] as object)[0]).toBe("type");
  });
});
