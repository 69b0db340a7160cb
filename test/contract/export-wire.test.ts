import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ExportedCall, ExportedResponse, ExportedSession } from "../../src/export/export-target.ts";
import { langfuseTarget } from "../../src/export/langfuse/langfuse-target.ts";
import { otlpTarget } from "../../src/export/otlp/otlp-target.ts";
import { conventionProblems } from "../support/receiver/genai-conventions.ts";
import { contractProblems } from "../support/receiver/langfuse-contract.ts";
import { otlpProblems } from "../support/receiver/otlp-schema.ts";
import { type Receiver, startReceiver } from "../support/receiver/start-receiver.ts";

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
const SENDER = { version: "1.2.3", resource: { "service.name": "toolmend" } };
const CALL: ExportedCall = {
  kind: "call",
  record_id: "680830549f7b14e5",
  project: "default",
  session_id: "s-1",
  agent_id: "root",
  tool_call_id: "toolu_1",
  tool_name: "Bash",
  started_at: 1_700_000_000_000,
  ended_at: 1_700_000_001_500,
  status: "failed",
  category: "exit_code",
  status_message: "[EXIT_CODE] Bash exit=1 - error",
  model: "claude-x",
  provider: "anthropic",
  client: "claude-code",
  metadata: { position: 2, preceding_tool: "Read", preceding_success: true, is_retry: false, workflow: "bug_fix" },
  scores: [
    { id: "680830549f7b14e5-tool_success", name: "tool_success", data_type: "BOOLEAN", value: 0 },
    { id: "680830549f7b14e5-failure_category", name: "failure_category", data_type: "CATEGORICAL", value: "exit_code" },
    { id: "680830549f7b14e5-error_severity", name: "error_severity", data_type: "NUMERIC", value: 0.8 },
  ],
};
const TRACE = hash("s-1").slice(0, 32);
const SESSION: ExportedSession = {
  kind: "session",
  project: "default",
  session_id: "s-1",
  started_at: 1_699_999_990_000,
  at: 1_700_000_002_000,
  finished: true,
  client: "claude-code",
  provider: "anthropic",
  model: "claude-x",
  usage: { input_tokens: 1000, output_tokens: 50 },
  prompt: "Fix the build",
  metadata: { workflow: "bug_fix", calls: 1, failed: 1, requests: 2 },
  scores: [{ id: `${TRACE}-session_health`, name: "session_health", data_type: "CATEGORICAL", value: "degraded" }],
};

const ROOT = hash(["span", "default", "s-1", "root"].join("\0")).slice(0, 16);
const RESPONSE: ExportedResponse = {
  kind: "response",
  response: "usage:req-1",
  project: "default",
  session_id: "s-1",
  agent_id: "root",
  client: "claude-code",
  provider: "anthropic",
  request_model: "claude-x",
  response_model: "claude-x-0901",
  response_id: "msg_1",
  request_id: "req-1",
  streaming: true,
  started_at: 1_699_999_999_000,
  ended_at: 1_700_000_000_000,
  first_byte_ms: 250,
  stop_reason: "tool_use",
  usage: { input_tokens: 1000, output_tokens: 50, cached_tokens: 600, cache_write_tokens: 100, reasoning_tokens: 20 },
  scores: [],
};
const FAILED_RESPONSE: ExportedResponse = { ...RESPONSE, response: "request:req-2", failure: "529" };

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const langfuse = (): ReturnType<typeof langfuseTarget> =>
  langfuseTarget(
    { host: `${receiver.url}/`, publicKey: "pk-lf-1", secretKey: "sk-lf-2", timeoutMs: 2000, environment: "staging" },
    SENDER,
    hash,
  );
const otlp = (): ReturnType<typeof otlpTarget> =>
  otlpTarget(
    {
      tracesUrl: `${receiver.url}/v1/traces`,
      logsUrl: `${receiver.url}/v1/logs`,
      tracesHeaders: { "x-key": "t" },
      logsHeaders: {},
      timeoutMs: 2000,
    },
    SENDER,
    hash,
  );

describe("requests to Langfuse", () => {
  it("a call is sent as a span that its OpenTelemetry endpoint accepts, with level, message, session and chain", async () => {
    expect(await langfuse().sendSpans([CALL])).toEqual({ kind: "accepted" });
    const [request] = receiver.received;
    expect(request?.path).toBe("/api/public/otel/v1/traces");
    expect(request?.problems).toEqual([]);
    expect(request?.headers["x-langfuse-ingestion-version"]).toBe("4");
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from("pk-lf-1:sk-lf-2").toString("base64")}`);
    const span = spanOf(request?.body);
    expect(span).toMatchObject({
      traceId: TRACE,
      spanId: "680830549f7b14e5",
      name: "Bash",
      startTimeUnixNano: "1700000000000000000",
      endTimeUnixNano: "1700000001500000000",
      status: { code: 2, message: "[EXIT_CODE] Bash exit=1 - error" },
    });
    expect(attributesOf(span)).toMatchObject({
      "session.id": "s-1",
      "gen_ai.tool.name": "Bash",
      "error.type": "exit_code",
      "langfuse.observation.type": "tool",
      "langfuse.observation.level": "ERROR",
      "langfuse.observation.status_message": "[EXIT_CODE] Bash exit=1 - error",
      "langfuse.observation.metadata.position": "2",
      "langfuse.observation.metadata.preceding_tool": "Read",
      "langfuse.observation.metadata.preceding_success": "true",
      "langfuse.observation.metadata.workflow": "bug_fix",
      "langfuse.environment": "staging",
    });
  });

  it("each score is sent in its own request with its own id and type, on the call's observation", async () => {
    for (const score of CALL.scores) await langfuse().sendScores([{ about: CALL, score }]);
    expect(receiver.received.map(({ path, problems }) => [path, problems])).toEqual([
      ["/api/public/scores", []],
      ["/api/public/scores", []],
      ["/api/public/scores", []],
    ]);
    expect(receiver.received.map(({ body }) => [body.id, body.value, body.dataType])).toEqual([
      ["680830549f7b14e5-tool_success", 0, "BOOLEAN"],
      ["680830549f7b14e5-failure_category", "exit_code", "CATEGORICAL"],
      ["680830549f7b14e5-error_severity", 0.8, "NUMERIC"],
    ]);
    expect(receiver.received[0]?.body).toMatchObject({
      traceId: TRACE,
      observationId: "680830549f7b14e5",
      metadata: { workflow: "bug_fix" },
    });
  });

  it("session scores are sent on the trace without an observation (K18)", async () => {
    await langfuse().sendScores([{ about: SESSION, score: SESSION.scores[0] as never }]);
    expect(receiver.received[0]?.problems).toEqual([]);
    expect(receiver.received[0]?.body).toMatchObject({
      id: `${TRACE}-session_health`,
      traceId: TRACE,
      value: "degraded",
    });
    expect(receiver.received[0]?.body).not.toHaveProperty("observationId");
  });
});

describe("a session sent to Langfuse", () => {
  it("a session is a trace with an agent as root, and generations and tools below it, named by client, model and tool", async () => {
    await langfuse().sendSpans([SESSION, RESPONSE, CALL, FAILED_RESPONSE]);
    expect(receiver.received[0]?.problems).toEqual([]);
    const spans = spansOf(receiver.received[0]?.body);
    expect(
      spans.map((span) => [
        span.name,
        attributesOf(span)["langfuse.observation.type"],
        attributesOf(span)["langfuse.observation.level"],
        span.parentSpanId,
        span.traceId,
      ]),
    ).toEqual([
      ["claude-code", "agent", undefined, undefined, TRACE],
      ["claude-x", "generation", "DEFAULT", ROOT, TRACE],
      ["Bash", "tool", "ERROR", ROOT, TRACE],
      ["claude-x", "generation", "ERROR", ROOT, TRACE],
    ]);
    expect(spans[0]?.spanId).toBe(ROOT);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(4);
    expect(attributesOf(spans[0] as Span)).toMatchObject({
      "langfuse.observation.input": "Fix the build",
      "langfuse.observation.metadata.workflow": "bug_fix",
    });
    expect(attributesOf(spans[1] as Span)).toMatchObject({
      "langfuse.observation.model.name": "claude-x-0901",
      "langfuse.observation.completion_start_time": '"2023-11-14T22:13:19.250Z"',
      "session.id": "s-1",
    });
    const usage = String(attributesOf(spans[1] as Span)["langfuse.observation.usage_details"]);
    expect(JSON.parse(usage)).toEqual({
      input: 300,
      input_cache_read: 600,
      input_cache_creation: 100,
      output: 30,
      output_reasoning: 20,
      total: 1050,
    });
  });

  it("the metadata of the session's scores contains the workflow", async () => {
    await langfuse().sendScores([{ about: SESSION, score: SESSION.scores[0] as never }]);
    expect(receiver.received[0]?.body.metadata).toEqual({ workflow: "bug_fix" });
  });
});

describe("spans in the GenAI conventions", () => {
  const send = async (): Promise<readonly Span[]> => {
    await otlp().sendSpans([SESSION, RESPONSE, CALL, FAILED_RESPONSE]);
    expect(receiver.received[0]?.problems).toEqual([]);
    return spansOf(receiver.received[0]?.body);
  };

  it("spans use only attributes and operations of the published model, and names and kinds as it asks for", async () => {
    const spans = await send();
    expect(conventionProblems(spans)).toEqual([]);
    expect(spans.map(({ name, kind }) => [name, kind])).toEqual([
      ["invoke_agent claude-code", 1],
      ["chat claude-x", 3],
      ["execute_tool Bash", 1],
      ["chat claude-x", 3],
    ]);
  });

  it("spans have usage with cached input as part of the input, and the error of a failed request", async () => {
    const [, chat, , failed] = await send();
    expect(attributesOf(chat as Span)).toMatchObject({
      "gen_ai.usage.input_tokens": "1000",
      "gen_ai.usage.cache_read.input_tokens": "600",
      "gen_ai.usage.cache_creation.input_tokens": "100",
      "gen_ai.usage.output_tokens": "50",
      "gen_ai.usage.reasoning.output_tokens": "20",
      "gen_ai.response.time_to_first_chunk": 0.25,
      "gen_ai.request.stream": true,
    });
    expect(attributesOf(failed as Span)["error.type"]).toBe("529");
    expect(failed?.status).toEqual({ code: 2 });
  });

  it("the check reports spans that are not in the model", () => {
    const key = (key: string, stringValue: string) => ({ key, value: { stringValue } });
    const attributes = [key("gen_ai.operation.name", "guess"), key("gen_ai.tool.colour", "red")];
    expect(conventionProblems([{ name: "guess", attributes }])).toEqual([
      "guess: the operation guess does not exist",
      "guess: gen_ai.tool.colour does not exist",
    ]);
  });
});

describe("the test receiver", () => {
  it("reports requests that neither Langfuse nor OTLP would accept", () => {
    expect(
      contractProblems("POST /api/public/scores", { name: "n", value: 2, dataType: "BOOLEAN", trace: "t" }),
    ).toEqual(["trace is not a field", "a boolean score is 0 or 1", "a score is about a trace or a session"]);
    expect(contractProblems("POST /api/public/ingestion", { batch: [] })).toEqual([
      "POST /api/public/ingestion is deprecated",
    ]);
    const spans = [{ traceId: "zz", spanId: "680830549f7b14e5", name: "n", colour: "red" }];
    expect(otlpProblems("traces", { resourceSpans: [{ scopeSpans: [{ spans }] }] })).toEqual([
      "traceId is not 32 hex digits",
      ".resourceSpans[0].scopeSpans[0].spans[0].colour: red came back as undefined",
    ]);
  });
});

describe("requests to an OTLP collector", () => {
  it("requests contain spans and evaluation events of the GenAI conventions, and no Langfuse fields", async () => {
    await otlp().sendSpans([CALL]);
    await otlp().sendScores([
      ...CALL.scores.map((score) => ({ about: CALL, score })),
      { about: SESSION, score: SESSION.scores[0] as never },
    ]);
    const [traces, logs] = receiver.received;
    expect(traces?.problems).toEqual([]);
    expect(logs?.problems).toEqual([]);
    expect(traces?.headers["x-key"]).toBe("t");
    expect(JSON.stringify(traces?.body)).not.toContain("langfuse");
    const records = logRecordsOf(logs?.body);
    expect(records.map((record) => attributesOf(record)["gen_ai.evaluation.name"])).toEqual([
      "tool_success",
      "failure_category",
      "error_severity",
      "session_health",
    ]);
    expect(records.map(({ traceId, spanId }) => [traceId, spanId])).toEqual([
      [TRACE, "680830549f7b14e5"],
      [TRACE, "680830549f7b14e5"],
      [TRACE, "680830549f7b14e5"],
      [TRACE, ROOT],
    ]);
  });

  it("rejected, throttled and unreachable collectors are distinguished without exposing the keys", async () => {
    const target = langfuse();
    const responses = [
      { status: 400, body: "bad span sk-lf" },
      { status: 413 },
      { status: 429, headers: { "retry-after": "7" } },
      { status: 401 },
    ];
    const posted: unknown[] = [];
    for (const response of responses) {
      receiver.refuse = () => response;
      posted.push(await target.sendSpans([CALL]));
    }
    receiver.refuse = () => "hang-up";
    posted.push(await target.sendSpans([CALL]));
    expect(posted).toEqual([
      { kind: "refused", reason: "HTTP 400 (bad span sk-lf)", tooLarge: false },
      { kind: "refused", reason: "HTTP 413", tooLarge: true },
      { kind: "later", reason: "HTTP 429", busy: true, afterMs: 7000 },
      { kind: "later", reason: "HTTP 401" },
      { kind: "later", reason: "UND_ERR_SOCKET" },
    ]);
  });
});

interface Span {
  readonly traceId: string;
  readonly spanId?: string;
  readonly parentSpanId?: string;
  readonly name?: string;
  readonly kind?: number;
  readonly status?: unknown;
  readonly attributes: readonly { key: string; value: Record<string, unknown> }[];
}
function spansOf(body: unknown): readonly Span[] {
  return (body as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }).resourceSpans[0]?.scopeSpans[0]
    ?.spans as Span[];
}
function spanOf(body: unknown): Span {
  return spansOf(body)[0] as Span;
}
function logRecordsOf(body: unknown): readonly Span[] {
  return (body as { resourceLogs: { scopeLogs: { logRecords: Span[] }[] }[] }).resourceLogs[0]?.scopeLogs[0]
    ?.logRecords as Span[];
}
function attributesOf(span: Span): Record<string, unknown> {
  return Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
