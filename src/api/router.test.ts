import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createTestStore } from "../../test/support/test-store.ts";
import type { CallObservation, Observation } from "../core/model/observation.ts";
import { UncleanDeletionError } from "../ingest/deletion/session-deleter.ts";
import type { FeedListener } from "../ingest/event-feed.ts";
import { CallObserver } from "../ingest/observe/observe-call.ts";
import { STORE_UNAVAILABLE, type StoreReader } from "../store/port.ts";
import { type ApiOptions, createApi } from "./router.ts";

const NOW = Date.UTC(2026, 2, 10, 12);
const STATUS = {
  ...{ version: "1.2.3", acknowledged: 1, applied: 1, dropped: 0, rejected: 0 },
  ...{ command: "toolmend", command_options: "", upstreams: [] },
  ...{ unapplied_bytes: 0, store_problem: null, set_aside: null, journal_problem: null },
};
const NOTHING_DELETED = {
  deleted: 0,
  calls: 0,
  event_lines: 0,
  event_files: 0,
  journal_segments: 0,
  exported: 0,
  took_ms: 1,
};
const deletions: unknown[] = [];
const deleter = {
  async session(project: string, id: string) {
    deletions.push([project, id]);
    return { ...NOTHING_DELETED, deleted: id === "a b/c" ? 1 : 0, event_lines: id === "only-in-files" ? 2 : 0 };
  },
  async before(at: number) {
    deletions.push(at);
    return { ...NOTHING_DELETED, deleted: 3 };
  },
};
const servers: http.Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

type SendRequest = (path: string, init?: RequestInit) => Promise<Response>;

/** Starts a real server with the API and an in-memory store. */
async function serve(
  options: Partial<ApiOptions> = {},
): Promise<{ send: SendRequest; port: number; journal: Observation[] }> {
  const store = createTestStore();
  const journal: Observation[] = [];
  const api = createApi({
    reader: store,
    setErrorState: (...args) => store.setErrorState(...args),
    ingest: {
      observer: new CallObserver({ capture: "errors", salt: "s" }),
      async record(observations) {
        journal.push(...observations);
        const lines = observations.map((one) => `${JSON.stringify(one)}\n`).join("");
        await store.apply({ journal: "j", position: "1", live: true, lines });
        return observations.length;
      },
    },
    subscribe: () => () => undefined,
    status: () => STATUS,
    repair: {
      status: () => ({ mode: "known", calls: { mode: "follow" }, overrides: [], suspended: [] }),
      ...{ upstreams: ["openai"], choose: () => undefined },
    },
    secondChance: { status: () => ({ mode: "off", overrides: [] }), upstreams: ["openai"], choose: () => undefined },
    guard: { status: () => ({ mode: "observe", overrides: [] }), upstreams: ["openai"], choose: () => undefined },
    deleter,
    now: () => NOW,
    ...options,
  });
  const server = http.createServer((request, response) => {
    void api(request, response, new URL(request.url ?? "/", "http://localhost"));
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { send: (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init), port, journal };
}

/** A store whose every query returns this. */
const storeReturning = (response: () => Promise<unknown>): StoreReader =>
  new Proxy({}, { get: () => response }) as unknown as StoreReader;

const post = (body: string): RequestInit => ({
  method: "POST",
  body,
  headers: { "content-type": "application/x-ndjson" },
});
const line = (fields: object): string =>
  `${JSON.stringify({ session_id: "s1", tool_call_id: "t1", tool_name: "bash", content: "ok", is_error: false, ...fields })}\n`;

describe("API queries", () => {
  it.each(["/api/fingerprints?provider=x", "/api/breakdown?by=workflow&provider=x"])(
    "a filter that rollups do not support returns 400 and its name: %s",
    async (path) => {
      const response = await (await serve()).send(path);
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("provider");
    },
  );

  it("an unknown session returns 404", async () => {
    const response = await (await serve()).send("/api/sessions/no%2Fsuch");
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: { message: "Session not found." } });
  });

  it("a long response is compressed if the client accepts gzip", async () => {
    const { send } = await serve();
    const plain = await send("/api/openapi.json", { headers: { "accept-encoding": "identity" } });
    const compressed = await send("/api/openapi.json", { headers: { "accept-encoding": "gzip" } });
    expect([plain.headers.get("content-encoding"), compressed.headers.get("content-encoding")]).toEqual([null, "gzip"]);
    expect(await compressed.json()).toEqual(await plain.json());
  });

  it("ingested calls appear in all queries", async () => {
    const { send } = await serve();
    const body =
      line({}) +
      line({ tool_call_id: "t2", is_error: true, content: "Error: no" }) +
      line({ tool_call_id: "t3", tool_name: "read", occurred_at: NOW });
    expect(await (await send("/api/ingest", post(body))).json()).toMatchObject({
      accepted: 3,
      dropped: 0,
      rejected_total: 0,
    });
    expect(await (await send("/api/summary")).json()).toMatchObject({
      ...{ calls: 3, ok: 2, failed: 1, unknown: 0, failure_rate: 1 / 3, sessions: 1 },
      status: STATUS,
    });
    const tools = (await (await send("/api/tools")).json()) as { rows: unknown[] };
    expect(tools.rows).toMatchObject([
      { key: "bash", calls: 2, failed: 1, failure_rate: 0.5 },
      { key: "read", calls: 1, failed: 0, failure_rate: 0 },
    ]);
    const days = (await (await send("/api/breakdown?by=day&since=24h")).json()) as { rows: unknown[] };
    expect(days.rows).toMatchObject([{ key: "2026-03-10", calls: 3 }]);
    const sessions = (await (await send("/api/sessions?limit=1")).json()) as { rows: unknown[] };
    expect(sessions.rows).toMatchObject([{ session_id: "s1", health: "degraded", calls: 3 }]);
  });

  it("a response is JSON with headers against caching and sniffing", async () => {
    const { headers } = await (await serve()).send("/api/summary");
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("HEAD returns no body", async () => {
    const response = await (await serve()).send("/api/summary", { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });

  it.each([
    ["/api/summary?since=soon", /^since must be/],
    ["/api/tools?until=x", /^until must be/],
    ["/api/breakdown?by=colour", /^by must be one of tool, model/],
    ["/api/sessions?severity=%3E2", /^severity must be a number from 0 to 1/],
    ["/api/sessions?severity=1.01", /^severity must be a number from 0 to 1/],
    ["/api/sessions?severity=much", /^severity must be a number from 0 to 1/],
    ["/api/sessions?limit=0", /^limit must be between 1 and 1000/],
    ["/api/sessions?limit=1001", /^limit must be/],
    ["/api/sessions?limit=ten", /^limit must be/],
    ["/api/sessions?limit=1.5", /^limit must be/],
  ])("an invalid parameter returns 400 and its name: %s", async (path, message) => {
    const response = await (await serve()).send(path);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(response.status).toBe(400);
    expect(error.message).toMatch(message);
  });

  it.each([
    ["GET", "/api/"],
    ["GET", "/api/nothing"],
    ["GET", "/api/sessions/"],
    ["POST", "/api/summary"],
    ["GET", "/api/ingest"],
    ["PUT", "/api/sessions"],
    ["GET", "/api/constructor"],
  ])("an unknown route returns 404: %s %s", async (method, path) => {
    const response = await (await serve()).send(path, { method });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining(`${method} ${path}`) } });
  });

  it("an unavailable store returns 503 with the reason, and a store that does not respond after a short timeout", async () => {
    const unavailable = Object.assign(new Error("PostgreSQL is not available (ECONNREFUSED)"), {
      code: STORE_UNAVAILABLE,
    });
    const failing = await serve({ reader: storeReturning(() => Promise.reject(unavailable)) });
    const first = await failing.send("/api/summary");
    expect(first.status).toBe(503);
    expect(await first.json()).toEqual({
      error: {
        message:
          "The store is unavailable: PostgreSQL is not available (ECONNREFUSED). Requests are still forwarded, and observations stay in the journal until the store is back.",
      },
    });
    const hanging = await serve({
      reader: storeReturning(() => new Promise(() => undefined)),
      status: () => ({ ...STATUS, store_problem: "PostgreSQL does not answer" }),
    });
    const began = Date.now();
    const second = await hanging.send("/api/summary");
    expect(second.status).toBe(503);
    expect(await second.text()).toContain("The store is unavailable: PostgreSQL does not answer.");
    expect(Date.now() - began).toBeLessThan(10_000);
  });

  it("a failing query returns 503 without the internal error message", async () => {
    const broken = new Proxy({} as StoreReader, {
      get: () => () => Promise.reject(new Error("disk I/O error at /home/me")),
    });
    const response = await (await serve({ reader: broken })).send("/api/tools");
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain("/home/me");
  });
});

describe("POST /api/ingest", () => {
  it("accepts observations of another process and applies this server's capture setting to their texts", async () => {
    const observation = {
      ...{ v: 1, kind: "call", project: "default", session_id: "s1", agent_id: "root", source: "transcript" },
      ...{ occurred_at: NOW, seen_at: NOW, live: false, tool_call_id: "t1", place: { kind: "exact", n: 0 } },
      arguments: { fingerprint: "f", keys: {}, resources: [], size_bytes: 1, preview: "token=hunter22" },
      result: {
        ...{ hash: "h", size_bytes: 1 },
        outcome: {
          ...{ status: "failed", flag: "failed", reported: "failed", soft: false, confidence: 1, rule: "flag" },
          ...{
            category: "error",
            excerpt: `password: hunter22 ${"x".repeat(900)}`,
            status_message: "[ERROR] Bash - token=hunter22",
          },
        },
      },
    };
    const prompt = { ...observation, kind: "prompt", prompt: "p1", text: "hunter22" };
    const body = [observation, prompt, { ...observation, kind: "request" }, { ...observation, tool_call_id: "" }];
    const lines = body.map((one) => `${JSON.stringify(one)}\n`).join("");
    for (const capture of ["errors", "none"] as const) {
      const recorded: Observation[] = [];
      const record = async (observations: readonly Observation[]): Promise<number> => {
        recorded.push(...observations);
        return observations.length;
      };
      const { send } = await serve({
        ingest: { observer: new CallObserver({ capture, salt: "s" }), record, unappliedBytes: () => 7 },
      });
      expect(await (await send("/api/ingest", post(lines))).json()).toEqual({
        accepted: 2,
        dropped: 0,
        rejected: [
          { line: 3, reason: "kind request is not accepted here" },
          { line: 4, reason: "tool_call_id is missing" },
        ],
        rejected_total: 2,
        unapplied_bytes: 7,
      });
      expect(JSON.stringify(recorded)).not.toContain("hunter22");
      const [call] = recorded as [CallObservation];
      expect(call.result?.outcome.excerpt?.length).toBe(capture === "none" ? undefined : 500);
      expect(call.arguments?.preview).toBe(capture === "none" ? undefined : "token=[secret]");
      expect(call.result?.outcome.status_message).toBe(
        capture === "none" ? "[ERROR] unknown" : "[ERROR] Bash - token=[secret]",
      );
    }
  });

  it.each([
    ["a preview that is not text", { arguments: { fingerprint: "f", preview: { a: 1 } } }],
    ["an excerpt that is not text", { result: { hash: "h", outcome: { status: "failed", excerpt: 7 } } }],
    [
      "a known place with a bad result",
      { place: { kind: "known", place: "/0" }, result: { hash: "h", outcome: { status: "bad" } } },
    ],
  ])("drops the invalid part of an observation with %s", async (_what, fields) => {
    const { send, journal } = await serve();
    const observation = {
      ...{ v: 1, kind: "call", project: "default", session_id: "s1", agent_id: "root", source: "transcript" },
      ...{ occurred_at: NOW, seen_at: NOW, live: false, tool_call_id: "t1", place: { kind: "exact", n: 0 }, ...fields },
    };
    const response = await send("/api/ingest", post(`${JSON.stringify(observation)}\n`));
    expect(response.status).toBe(200);
    expect(JSON.stringify(journal)).not.toMatch(/"preview"|"excerpt"|"bad"/);
  });

  it("uses the category and phase given by the reporter", async () => {
    const { send, journal } = await serve();
    const explicit = { content: "The archive is closed.", is_error: true, category: "timeout", phase: "run" };
    await send(
      "/api/ingest",
      post(`${line(explicit)}${line({ content: "no such city", is_error: true, phase: "gate" })}`),
    );
    const [first, second] = journal as CallObservation[];
    expect(first?.result?.outcome).toMatchObject({
      ...{ status: "failed", category: "timeout", phase: "run", severity: 0.75, retryable: "yes", rule: "stated" },
      ...{ confidence: 1, status_message: "[TIMEOUT] bash - The archive is closed." },
    });
    expect(second?.result?.outcome).toMatchObject({ status: "failed", phase: "gate", rule: "stated" });
  });

  it("orders calls with the same time by line, or by the order the sender gives", async () => {
    const { send } = await serve();
    const ids = Array.from({ length: 8 }, (_, n) => `call_${n + 1}`);
    const body = ids
      .map((tool_call_id) => line({ session_id: "s-in-order", tool_call_id, content: "3 hits" }))
      .join("");
    await send("/api/ingest", post(body));
    const backwards = ids.map((tool_call_id, n) =>
      line({ session_id: "s-reversed", tool_call_id, content: "x", order: 9 - n }),
    );
    await send("/api/ingest", post(backwards.join("")));
    const callOrder = async (session: string): Promise<unknown> => {
      const { calls } = (await (await send(`/api/sessions/${session}`)).json()) as {
        calls: { tool_call_id: string; position: number }[];
      };
      return calls.map(({ tool_call_id, position }) => [position, tool_call_id]);
    };
    expect(await callOrder("s-in-order")).toEqual(ids.map((id, at) => [at, id]));
    expect(await callOrder("s-reversed")).toEqual(ids.toReversed().map((id, at) => [at, id]));
  });

  it("rejects invalid lines with number and reason and accepts the others", async () => {
    const { send, journal } = await serve();
    const body = [
      line({ tool_call_id: "t1" }).trim(),
      "",
      "{not json",
      "[]",
      JSON.stringify({ tool_call_id: "t2" }),
      JSON.stringify({ session_id: "../etc", tool_call_id: "t2" }),
      JSON.stringify({ session_id: "s1" }),
      line({ source: "rumour" }).trim(),
      line({ occurred_at: 1.5 }).trim(),
      line({ agent_id: "a b" }).trim(),
      `${line({ tool_call_id: "t9" }).trim()}\r`,
      line({ content: "no", is_error: true, category: "bad luck" }).trim(),
      line({ content: "no", is_error: true, phase: "before" }).trim(),
      line({ content: "yes", is_error: false, category: "timeout" }).trim(),
    ].join("\n");
    const response = await send("/api/ingest", post(body));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      accepted: 2,
      dropped: 0,
      rejected: [
        { line: 3, reason: "not JSON" },
        { line: 4, reason: "not an object" },
        { line: 5, reason: "session_id is not a valid id" },
        { line: 6, reason: "session_id is not a valid id" },
        { line: 7, reason: "tool_call_id is missing" },
        { line: 8, reason: "source is not one of proxy, hook, transcript, library, mcp" },
        { line: 9, reason: "occurred_at is not a time in ms" },
        { line: 10, reason: "agent_id is not a valid id" },
        { line: 12, reason: expect.stringMatching(/^category is not one of permission_denied, incomplete, /) },
        { line: 13, reason: "phase is not one of call, gate, run" },
        { line: 14, reason: "category and phase need a failure: set content, and is_error to true" },
      ],
      rejected_total: 11,
    });
    expect(journal.map((one) => "tool_call_id" in one && one.tool_call_id)).toEqual(["t1", "t9"]);
  });

  it("reduces text to facts before anything is written", async () => {
    const { send, journal } = await serve();
    await send(
      "/api/ingest",
      post(line({ content: "all fine, nothing to keep", arguments: { path: "/private/file" } })),
    );
    expect(JSON.stringify(journal)).not.toMatch(/all fine|private/);
    expect(journal).toMatchObject([
      {
        kind: "call",
        source: "library",
        project: "default",
        agent_id: "root",
        place: { kind: "newest" },
        occurred_at: NOW,
        live: true,
      },
    ]);
  });

  it("records the sender's occurrence, time, source, model and duration", async () => {
    const { send, journal } = await serve();
    const known = { occurrence: 2, occurred_at: NOW - 5, source: "transcript", model: "m", provider: "p", live: false };
    await send("/api/ingest", post(line({ ...known, execution_time_ms: 12, project: "team-a", agent_id: "sub" })));
    expect(journal).toMatchObject([
      {
        ...{ place: { kind: "exact", n: 2 }, occurred_at: NOW - 5, source: "transcript", model: "m", provider: "p" },
        ...{ live: false, execution_time_ms: 12, project: "team-a", agent_id: "sub", name: "bash" },
      },
    ]);
  });

  it("records turn id, prompt id and workflow, but no prompt text", async () => {
    const { send, journal } = await serve();
    const known = { turn_id: "m7", prompt_id: "p1", workflow: "bug_fix", prompt: "words of a person", turn: "x" };
    await send("/api/ingest", post(line(known) + line({ prompt_id: "p".repeat(300), workflow: 7 })));
    expect(journal[0]).toMatchObject({ turn: "m7", prompt: "p1", workflow: "bug_fix" });
    expect(journal[1]).toMatchObject({ prompt: "p".repeat(255) });
    expect(journal[1]).not.toHaveProperty("workflow");
    expect(JSON.stringify(journal)).not.toContain("words of a person");
  });

  it.each(["1e999", "-5", "null", '"12"'])("ignores the invalid duration %s", async (duration) => {
    const { send, journal } = await serve();
    const body = `{"session_id":"s1","tool_call_id":"t1","content":"x","execution_time_ms":${duration}}`;
    expect(await (await send("/api/ingest", post(body))).json()).toMatchObject({ accepted: 1 });
    expect(journal[0]).not.toHaveProperty("execution_time_ms");
  });

  it("returns the number of observations that the journal dropped", async () => {
    const observer = new CallObserver({ capture: "errors", salt: "s" });
    const { send } = await serve({ ingest: { observer, record: async () => 0 } });
    expect(await (await send("/api/ingest", post(line({}) + line({})))).json()).toMatchObject({
      accepted: 0,
      dropped: 2,
    });
  });

  it("rejects a body above the limit with a 413 that the client can read", async () => {
    const { port, journal } = await serve();
    const response = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const request = http.request({ port, host: "127.0.0.1", method: "POST", path: "/api/ingest" }, (response) => {
        let body = "";
        response.on("data", (chunk: Buffer) => {
          body += chunk.toString();
        });
        response.on("end", () => resolve({ status: response.statusCode, body }));
      });
      request.on("error", reject);
      const chunk = Buffer.alloc(1 << 20, "x");
      for (let sent = 0; sent < 40; sent += 1) request.write(chunk);
      request.end();
    });
    expect(response.status).toBe(413);
    expect(response.body).toContain("Send it in parts");
    expect(journal).toEqual([]);
  });
});

it("GET /api/live sends lines as events until the client disconnects", async () => {
  let listener: FeedListener | undefined;
  let unsubscribed = false;
  const { send } = await serve({
    subscribe: (one) => {
      listener = one;
      return () => {
        unsubscribed = true;
      };
    },
  });
  const stop = new AbortController();
  const response = await send("/api/live", { signal: stop.signal });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const next = async (): Promise<string> => Buffer.from((await reader.read()).value ?? []).toString();
  expect(await next()).toBe(": connected\n\n");
  listener?.onLine('{"type":"x"}');
  expect(await next()).toBe('data: {"type":"x"}\n\n');
  stop.abort();
  await expect.poll(() => unsubscribed).toBe(true);
});

describe("DELETE /api/sessions", () => {
  const remove = { method: "DELETE" };

  it("deletes one session by id, and all sessions older than a span", async () => {
    const { send } = await serve();
    expect(await (await send("/api/sessions/a%20b%2Fc?project=p", remove)).json()).toEqual({
      ...NOTHING_DELETED,
      deleted: 1,
    });
    expect(await (await send("/api/sessions?older=24h", remove)).json()).toEqual({ ...NOTHING_DELETED, deleted: 3 });
    expect(deletions).toEqual([["p", "a b/c"], NOW - 86_400_000]);
  });

  it.each([
    ["/api/sessions/nosuch", 404],
    ["/api/sessions/only-in-files", 200],
    ["/api/sessions/", 404],
    ["/api/sessions/%E0%A4%A", 400],
    ["/api/sessions", 400],
    ["/api/sessions?older=soon", 400],
    ["/api/summary", 404],
  ])("DELETE %s returns %i", async (path, status) => {
    const { send } = await serve();
    expect((await send(path, remove)).status).toBe(status);
  });

  it("returns 500 and names what could not be removed", async () => {
    const unclean = async (): Promise<never> => {
      throw new UncleanDeletionError(new Error("the disk is full"));
    };
    const { send } = await serve({ deleter: { session: unclean, before: unclean } });
    for (const path of ["/api/sessions/s1", "/api/sessions?older=24h"]) {
      const response = await send(path, remove);
      expect(response.status).toBe(500);
      expect(await response.json()).toEqual({
        error: {
          message: expect.stringMatching(/^The sessions are deleted, but copies .* may be left: the disk is full\./),
        },
      });
    }
  });
});
