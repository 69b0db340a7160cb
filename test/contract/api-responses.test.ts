import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Json } from "../../src/core/model/tool-call.ts";
import { demoHistory } from "../../src/demo/history.ts";
import { Ledger } from "../../src/demo/ledger.ts";
import { createTarget } from "../../src/export/export-settings.ts";
import { send } from "../support/dashboard-world.ts";
import { until } from "../support/raw-http.ts";
import { sendPrompt } from "../support/repair-clients.ts";
import { getJson, type Running, startInFrontOf, upstreamsAt } from "../support/running.ts";
import { inOrder } from "../support/upstream/script.ts";
import { startUpstream, type Upstream } from "../support/upstream/start-upstream.ts";
import { call, refuse, respond } from "../support/upstream/turn.ts";

const NOW = Date.UTC(2026, 5, 15, 15);
const SESSION = `demo-history-${Math.floor(NOW / 86_400_000)}-0`;
const LINE = JSON.stringify({ session_id: "s", tool_call_id: "c", content: "Error: no", is_error: true });
const LOOP = [1, 2, 3, 4].map((n) =>
  JSON.stringify({
    ...{ session_id: "looping", tool_call_id: `c${n}`, tool_name: "Read", arguments: { path: "a" }, content: "text" },
    occurred_at: NOW - 60_000 + n,
  }),
);
const PROMPT = JSON.stringify({
  ...{ v: 1, kind: "prompt", project: "default", session_id: SESSION, agent_id: "root", source: "transcript" },
  ...{ occurred_at: NOW - 86_400_000, seen_at: NOW, live: false, prompt: "p1", workflow: "bug_fix" },
});
const USAGE = JSON.stringify({
  ...{ v: 1, kind: "usage", project: "default", session_id: SESSION, agent_id: "root", source: "transcript" },
  ...{ occurred_at: NOW - 86_400_000, seen_at: NOW, live: false, client: "claude-code", response_id: "msg_1" },
  usage: { input_tokens: 100, output_tokens: 10, cached_tokens: 60 },
});
/** A native call whose arguments need a repair. */
const NUMBER_AS_TEXT = '{"path": "a.txt", "lines": "5"}';
const READ = {
  type: "function",
  function: {
    name: "read",
    parameters: { type: "object", properties: { path: { type: "string" }, lines: { type: "integer" } } },
  },
};
/** Its JSON needs a repair. */
const LEAK = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt",}}\n</tool_call>';

const readAgain = (n: number): readonly object[] => [
  {
    ...{ role: "assistant", content: null },
    tool_calls: [{ id: `call_again_${n}`, type: "function", function: { name: "read", arguments: "{}" } }],
  },
  { role: "tool", tool_call_id: `call_again_${n}`, content: "text of a" },
];

interface Operation {
  readonly responses: { readonly 200: { readonly content: { readonly [type: string]: { readonly schema: object } } } };
}
interface Document {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
}
type Schema = Parameters<typeof z.fromJSONSchema>[0];

let upstream: Upstream;
let server: Running;
let document: Document;
/** Of the most frequent error. */
let fingerprint: string;
/** The session whose repaired call the upstream rejected. */
let rejected: string;
beforeAll(async () => {
  const turns = [
    ...[respond(call("open", {})), respond(call("read", {}))],
    ...[respond(call("read", NUMBER_AS_TEXT)), respond(LEAK), refuse(400), respond(LEAK)],
  ];
  upstream = await startUpstream({ script: inOrder(...turns) });
  server = await startInFrontOf(upstream.url, {
    upstreams: new Map([...upstreamsAt(upstream.url), ["vllm", { name: "vllm", url: new URL(upstream.url) }]]),
    now: () => NOW,
    secondChance: { mode: "on" },
    guard: { mode: "stop" },
    agentFolders: [],
    exporting: {
      targets: [createTarget("otlp", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }, "1.2.3")],
      ...{ content: false, giveUpAfterMs: 86_400_000, everyMs: 1000 },
    },
  });
  await send(server, [demoHistory(NOW, new Ledger()), PROMPT, USAGE, LINE, ...LOOP].join("\n"));
  // The guard refuses this request, so the upstream's turns stay in order.
  await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-toolmend-session": SESSION },
    body: JSON.stringify({
      ...{ model: "m", tools: [READ] },
      messages: [{ role: "user", content: "Go." }, ...Array.from({ length: 12 }, (_, n) => readAgain(n)).flat()],
    }),
  });
  await sendPrompt("chat", server.url, { stream: false, more: { tools: [READ] } });
  await sendPrompt("chat", server.url, { stream: true, more: { tools: [READ] } });
  const repaired = await sendPrompt("chat", server.url, { stream: true });
  await expect(repaired.sendResults()).rejects.toThrow("400");
  await until("repair is suspended", async () => {
    const { suspended } = await getJson<{ suspended: readonly object[] }>(`${server.url}/api/repair`);
    return suspended.length === 1;
  });
  await server.server.drain();
  const errors = await getJson<{ rows: readonly { fingerprint: string }[] }>(`${server.url}/api/fingerprints`);
  fingerprint = errors.rows[0]?.fingerprint ?? "";
  const leaks = await getJson<{ rows: readonly { session_id: string }[] }>(`${server.url}/api/leaks`);
  rejected = leaks.rows[0]?.session_id ?? "";
  document = await getJson<Document>(`${server.url}/api/openapi.json`);
});
afterAll(async () => {
  await upstream.close();
  await server.close();
});

/** Rejects undocumented fields, which clients must otherwise ignore. */
function withoutOtherFields(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutOtherFields);
  if (schema === null || typeof schema !== "object") return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, withoutOtherFields(value)]));
  return "properties" in schema && !("additionalProperties" in schema)
    ? { ...inner, additionalProperties: false }
    : inner;
}

/** Returns the differences between a response and its schema in the document. */
function differences(route: string, response: unknown): readonly string[] {
  const [method = "", path = ""] = route.toLowerCase().split(" ");
  const schema = document.paths[path]?.[method]?.responses[200].content["application/json"]?.schema;
  if (schema === undefined) return [`${route} is not described`];
  const { error } = z.fromJSONSchema(withoutOtherFields(schema as Json) as Schema).safeParse(response);
  return (error?.issues ?? []).map(({ path: at, message }) => `${at.join(".")}: ${message}`);
}

/** The arrays of a response, and whether any of them has items: `rows.after` stands for the arrays of all rows. */
const arrays = new Map<string, boolean>();
function noteArrays(name: string, value: Json): void {
  if (value === null || typeof value !== "object") return;
  if (Array.isArray(value)) arrays.set(name, arrays.get(name) === true || value.length > 0);
  for (const [field, inner] of Object.entries(value))
    noteArrays(Array.isArray(value) ? name : `${name} ${field}`, inner as Json);
}

// Deletions come last.
const REQUESTS: [route: string, path: string, body?: string][] = [
  ["GET /api/summary", "/api/summary"],
  ["GET /api/summary", "/api/summary?since=24h"],
  ["GET /api/status", "/api/status"],
  ["GET /api/import", "/api/import"],
  ["POST /api/import", "/api/import", "{}"],
  ["GET /api/status", "/api/status"],
  ["GET /api/tools", "/api/tools?since=24h"],
  ["GET /api/breakdown", "/api/breakdown?by=workflow"],
  ["GET /api/breakdown", "/api/breakdown?by=category&since=7d"],
  ["GET /api/trends", "/api/trends?since=7d"],
  ["GET /api/regressions", "/api/regressions?since=24h"],
  ["GET /api/worse", "/api/worse?since=24h"],
  ["GET /api/series", "/api/series?since=24h"],
  ["GET /api/tool-model", "/api/tool-model"],
  ["GET /api/fingerprints", "/api/fingerprints"],
  ["GET /api/fingerprints/{id}", "/api/fingerprints/FINGERPRINT"],
  ["POST /api/fingerprints/{id}", "/api/fingerprints/FINGERPRINT", '{"state": "resolved"}'],
  ["GET /api/coverage", "/api/coverage"],
  ["GET /api/calls", "/api/calls?limit=3"],
  ["GET /api/recent", "/api/recent?limit=3"],
  ["GET /api/calls", "/api/calls?status=failed&since=365d&sort=severity&repaired=no"],
  ["GET /api/sessions", "/api/sessions?limit=1000"],
  ["GET /api/sessions/{id}", `/api/sessions/${SESSION}`],
  ["GET /api/sessions/{id}", "/api/sessions/REJECTED"],
  ["GET /api/usage", "/api/usage?by=day"],
  ["GET /api/usage", "/api/usage?by=all&since=24h"],
  ["GET /api/turns/{id}", `/api/turns/${SESSION}`],
  ["GET /api/origins", "/api/origins"],
  ["GET /api/leaks", "/api/leaks"],
  ["GET /api/call-repairs", "/api/call-repairs"],
  ["GET /api/call-faults", "/api/call-faults"],
  ["POST /api/settings/repair", "/api/settings/repair", '{"mode": "known", "upstream": "anthropic"}'],
  ["GET /api/repair", "/api/repair"],
  ["GET /api/loops", "/api/loops"],
  ["GET /api/sessions/{id}", "/api/sessions/looping"],
  ["POST /api/settings/guard", "/api/settings/guard", '{"mode": "note", "upstream": "anthropic"}'],
  ["GET /api/guard", "/api/guard"],
  ["POST /api/settings/second-chance", "/api/settings/second-chance", '{"mode": "off", "upstream": "anthropic"}'],
  ["GET /api/second-chance", "/api/second-chance"],
  ["GET /api/second-chances", "/api/second-chances"],
  ["POST /api/ingest", "/api/ingest", `${LINE}\n[]\n`],
  ["POST /api/export", "/api/export", '{"target": "otlp", "since": "24h"}'],
  ["GET /api/export", "/api/export"],
  ["GET /api/openapi.json", "/api/openapi.json"],
  ["DELETE /api/sessions/{id}", `/api/sessions/${SESSION}`],
  ["DELETE /api/sessions", "/api/sessions?older=1d"],
];

describe("the responses of a server with data match /api/openapi.json", () => {
  it.each(REQUESTS)("%s: %s", async (route, path, body) => {
    const [method = ""] = route.split(" ");
    const headers = { "content-type": "application/json" };
    const url = server.url + path.replace("FINGERPRINT", fingerprint).replace("REJECTED", rejected);
    const response = await fetch(url, { method, ...(body !== undefined && { body, headers }) });
    const received = (await response.json()) as Json;
    expect(response.status).toBe(200);
    expect(differences(route, received)).toEqual([]);
    if (path !== "/api/openapi.json") noteArrays(route, received);
  });

  it("covers every route with a JSON response, and every list with at least one item", () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { responses }]) => "application/json" in responses[200].content)
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.toSorted()).toEqual([...new Set(REQUESTS.map(([route]) => route))].toSorted());
    expect([...arrays].filter(([, hasItems]) => !hasItems).map(([name]) => name)).toEqual([]);
  });

  it("a missing and an undocumented field are differences", async () => {
    const { version: _version, ...others } = await getJson<Record<string, unknown>>(`${server.url}/api/status`);
    expect(differences("GET /api/status", { ...others, extra: 1 })).toEqual([
      "version: Invalid input: expected string, received undefined",
      ': Unrecognized key: "extra"',
    ]);
  });
});
