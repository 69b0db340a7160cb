import { createHash } from "node:crypto";
import { LangfuseSpanProcessor } from "@langfuse/otel";
import { createTraceId, setLangfuseTracerProvider, startObservation } from "@langfuse/tracing";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { langfuseSpan } from "../../src/export/langfuse/langfuse-target.ts";
import { traceRequest } from "../../src/export/otlp/otlp-json.ts";
import { type Receiver, startReceiver } from "../support/receiver/start-receiver.ts";

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
interface Span {
  readonly traceId: string;
  readonly name: string;
  readonly startTimeUnixNano: unknown;
  readonly attributes: readonly { key: string; value: unknown }[];
}
const spanOf = (body: unknown): Span =>
  (body as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }).resourceSpans[0]?.scopeSpans[0]?.spans[0] as Span;

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

describe("compatibility with Langfuse's own SDK", () => {
  it("a failed tool call goes to the same endpoint with the same attributes and values", async () => {
    const processor = new LangfuseSpanProcessor({
      publicKey: "pk-lf-1",
      secretKey: "sk-lf-2",
      baseUrl: receiver.url,
      exportMode: "immediate",
      environment: "staging",
    });
    setLangfuseTracerProvider(new BasicTracerProvider({ spanProcessors: [processor] }));
    startObservation(
      "Bash",
      { level: "ERROR", statusMessage: "[EXIT_CODE] Bash exit=1", metadata: { workflow: "bug_fix", position: 2 } },
      { asType: "tool", startTime: new Date(1_700_000_000_000) },
    ).end();
    await processor.forceFlush();
    const [sent] = receiver.received;
    expect(sent?.path).toBe("/api/public/otel/v1/traces");

    const toolmendSpan = langfuseSpan(
      {
        kind: "call",
        record_id: "680830549f7b14e5",
        ...{ project: "default", session_id: "s-1", agent_id: "root", tool_call_id: "t", tool_name: "Bash" },
        ...{ started_at: 1_700_000_000_000, ended_at: 1_700_000_000_000, status: "failed", scores: [] },
        status_message: "[EXIT_CODE] Bash exit=1",
        metadata: { workflow: "bug_fix", position: 2 },
      },
      hash,
      { environment: "staging" },
    );
    const theirs = spanOf(sent?.body);
    expect(Object.keys(sent?.body ?? {})).toEqual(
      Object.keys(traceRequest({ version: "1", resource: {} }, [toolmendSpan])),
    );
    expect(toolmendSpan.startTimeUnixNano).toBe(String(theirs.startTimeUnixNano));
    expect(toolmendSpan.name).toBe(theirs.name);
    const own = new Map(toolmendSpan.attributes.map(({ key, value }) => [key, value]));
    const shared = theirs.attributes.filter(({ key }) => key.startsWith("langfuse.observation") || own.has(key));
    expect(shared.map(({ key }) => key).sort()).toEqual([
      "langfuse.environment",
      "langfuse.observation.level",
      "langfuse.observation.metadata.position",
      "langfuse.observation.metadata.workflow",
      "langfuse.observation.status_message",
      "langfuse.observation.type",
    ]);
    for (const { key, value } of shared) expect([key, own.get(key)]).toEqual([key, value]);
  });

  it("a generation has the same type, model, usage and time of the first token", async () => {
    receiver.received.length = 0;
    const processor = new LangfuseSpanProcessor({
      ...{ publicKey: "pk-lf-1", secretKey: "sk-lf-2", baseUrl: receiver.url, exportMode: "immediate" },
    });
    setLangfuseTracerProvider(new BasicTracerProvider({ spanProcessors: [processor] }));
    startObservation(
      "claude-x",
      {
        model: "claude-x",
        usageDetails: { input: 300, input_cache_read: 700, output: 50, total: 1050 },
        completionStartTime: new Date(1_700_000_000_250),
      },
      { asType: "generation", startTime: new Date(1_700_000_000_000) },
    ).end();
    await processor.forceFlush();
    const theirs = spanOf(receiver.received[0]?.body);
    const ours = langfuseSpan(
      {
        ...{ kind: "response", response: "usage:r", project: "default", session_id: "s-1", agent_id: "root" },
        ...{ started_at: 1_700_000_000_000, ended_at: 1_700_000_001_000, first_byte_ms: 250, streaming: true },
        ...{
          request_model: "claude-x",
          usage: { input_tokens: 1000, cached_tokens: 700, output_tokens: 50 },
          scores: [],
        },
      },
      hash,
      {},
    );
    const own = new Map(ours.attributes.map(({ key, value }) => [key, value]));
    const shared = theirs.attributes.filter(({ key }) => key.startsWith("langfuse.observation"));
    expect(shared.map(({ key }) => key).sort()).toEqual([
      "langfuse.observation.completion_start_time",
      "langfuse.observation.model.name",
      "langfuse.observation.type",
      "langfuse.observation.usage_details",
    ]);
    for (const { key, value } of shared) expect([key, own.get(key)]).toEqual([key, value]);
  });

  it("a session's trace has the id that the SDK derives from the session id", async () => {
    const call = {
      kind: "call" as const,
      project: "default",
      session_id: "1a15f57c-98c7",
      agent_id: "root",
      tool_call_id: "t",
      tool_name: "x",
    };
    const span = langfuseSpan(
      { ...call, record_id: "680830549f7b14e5", started_at: 0, ended_at: 0, status: "ok", scores: [], metadata: {} },
      hash,
      {},
    );
    expect(span.traceId).toBe(await createTraceId("1a15f57c-98c7"));
  });
});
