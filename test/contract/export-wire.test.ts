import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ExportedCall, ExportedSession } from "../../src/export/export-target.ts";
import { langfuseTarget } from "../../src/export/langfuse/langfuse-target.ts";
import { otlpTarget } from "../../src/export/otlp/otlp-target.ts";
import { contractProblems } from "../support/receiver/langfuse-contract.ts";
import { otlpProblems } from "../support/receiver/otlp-schema.ts";
import { type Receiver, startReceiver } from "../support/receiver/start-receiver.ts";

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
const SENDER = { version: "1.2.3", resource: { "service.name": "toolmend" } };
const CALL: ExportedCall = {
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
  project: "default",
  session_id: "s-1",
  at: 1_700_000_002_000,
  scores: [{ id: `${TRACE}-session_health`, name: "session_health", data_type: "CATEGORICAL", value: "degraded" }],
};

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
      name: "execute_tool Bash",
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
  it("contain spans and evaluation events of the GenAI conventions, and no Langfuse fields", async () => {
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
      [TRACE, undefined],
    ]);
  });

  it("distinguish rejected, throttled and unreachable without exposing the keys", async () => {
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
  readonly attributes: readonly { key: string; value: Record<string, unknown> }[];
}
function spanOf(body: unknown): Span {
  return (body as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }).resourceSpans[0]?.scopeSpans[0]
    ?.spans[0] as Span;
}
function logRecordsOf(body: unknown): readonly Span[] {
  return (body as { resourceLogs: { scopeLogs: { logRecords: Span[] }[] }[] }).resourceLogs[0]?.scopeLogs[0]
    ?.logRecords as Span[];
}
function attributesOf(span: Span): Record<string, unknown> {
  return Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
