import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTarget } from "../../src/export/export-settings.ts";
import { type Receiver, startReceiver } from "../support/receiver/start-receiver.ts";
import { runCommand } from "../support/run-command.ts";
import { type Running, startInFrontOf, temporaryFolder } from "../support/running.ts";

// Text of a call leaves the machine only with `export.content`.

const CALLS = [
  {
    tool_name: "Bash",
    tool_call_id: "call_1",
    arguments: { command: "cat /home/jane/divorce-papers.txt" },
    content: "Exit code 1\ncat: /home/jane/divorce-papers.txt: No such file or directory",
    is_error: true,
  },
  {
    tool_name: "search",
    tool_call_id: "call_2",
    arguments: { query: "divorce lawyer" },
    content: "Request timed out: no answer about the divorce lawyer",
    is_error: true,
    execution_time_ms: 61_000,
  },
];
const LINES = CALLS.map((call) => `${JSON.stringify({ session_id: "s-1", ...call })}\n`).join("");
const TEXT = /divorce|lawyer|jane|No such file|no answer/i;
const WITHOUT_TEXT = ["[NOT_FOUND] Bash exit=1", "[TIMEOUT] search duration=61s"];

let receiver: Receiver;
let data: string;
let time: number;
let running: Running | undefined;
const environment = (): Record<string, string> => ({
  LANGFUSE_PUBLIC_KEY: "pk-lf-1",
  LANGFUSE_SECRET_KEY: "sk-lf-2",
  LANGFUSE_HOST: receiver.url,
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
});

beforeEach(async () => {
  receiver = await startReceiver();
  data = temporaryFolder();
  time = Date.now();
});
afterEach(async () => {
  await running?.close();
  running = undefined;
  await receiver.close();
  rmSync(data, { recursive: true, force: true });
});

type Target = "langfuse" | "otlp";

async function record(exporting?: { readonly target: Target; readonly content: boolean }): Promise<void> {
  running = await startInFrontOf("http://127.0.0.1:9", {
    data,
    now: () => time,
    ...(exporting !== undefined && {
      exporting: {
        targets: [createTarget(exporting.target, environment(), "1.2.3")],
        content: exporting.content,
        giveUpAfterMs: 86_400_000,
        everyMs: 20,
      },
    }),
  });
  const headers = { "content-type": "application/x-ndjson" };
  await fetch(`${running.url}/api/ingest`, { method: "POST", headers, body: LINES });
  await running.server.drain();
  time += 15_000;
  for (let tries = 0; tries < 500 && exporting !== undefined; tries += 1) {
    if ((await running.server.store.backlog()).length === 0) break;
    await sleep(20);
  }
}

/** The ways to export: by the server that records, and by the command. */
const WAYS: Record<string, (target: Target) => Promise<void>> = {
  "a running server": (target) => record({ target, content: false }),
  "`toolmend export`": async (target) => {
    await record();
    await running?.close();
    running = undefined;
    const run = await runCommand(["export", target, "--data", data], { environment: environment(), now: () => time });
    expect(run.code).toBe(0);
  },
};

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string };
}
interface Span {
  readonly name: string;
  readonly status: { readonly code: number; readonly message?: string };
  readonly attributes: readonly Attribute[];
}
/** The spans of calls, by their order. */
const toolSpans = (): readonly Span[] =>
  receiver.received
    .filter(({ path }) => path.endsWith("/traces"))
    .flatMap(({ body }) => (body as never as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
    .filter(({ name }) => /Bash|search/.test(name))
    .sort((a, b) => a.name.localeCompare(b.name));
const attribute = (span: Span, name: string): string | undefined =>
  span.attributes.find(({ key }) => key === name)?.value.stringValue;
const comments = (): readonly unknown[] => [
  ...new Set(receiver.received.map(({ body }) => (body as { comment?: string }).comment).filter(Boolean)),
];

describe.each(Object.entries(WAYS))("without `content`, %s", (_, exportTo) => {
  it("sends Langfuse category, tool, exit code and duration of a failure, and no text of it", async () => {
    await exportTo("langfuse");
    expect(JSON.stringify(receiver.received.map(({ body }) => body))).not.toMatch(TEXT);
    expect(toolSpans().map(({ status }) => status)).toEqual(WITHOUT_TEXT.map((message) => ({ code: 2, message })));
    expect(toolSpans().map((span) => attribute(span, "langfuse.observation.status_message"))).toEqual(WITHOUT_TEXT);
    expect([...comments()].sort()).toEqual(WITHOUT_TEXT);
  });

  it("sends a collector category, tool, exit code and duration of a failure, and no text of it", async () => {
    await exportTo("otlp");
    expect(JSON.stringify(receiver.received.map(({ body }) => body))).not.toMatch(TEXT);
    expect(toolSpans().map(({ status }) => status)).toEqual(WITHOUT_TEXT.map((message) => ({ code: 2, message })));
  });
});

describe("with `content`", () => {
  it.each(["langfuse", "otlp"] as const)(
    "sends %s the message of a failure, its arguments and its result",
    async (target) => {
      await record({ target, content: true });
      const text = JSON.stringify(receiver.received.map(({ body }) => body));
      expect(toolSpans().map(({ status }) => status.message)).toEqual([
        expect.stringMatching(/^\[NOT_FOUND\] Bash exit=1 - .*No such file or directory$/),
        expect.stringMatching(/^\[TIMEOUT\] search duration=61s - .*no answer/),
      ]);
      expect(text).toContain("divorce lawyer");
      expect(text).toContain("cat /home/jane/divorce-papers.txt");
    },
  );
});
