import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTarget } from "../../src/export/export-settings.ts";
import { conventionProblems } from "../support/receiver/genai-conventions.ts";
import { type Receiver, startReceiver } from "../support/receiver/start-receiver.ts";
import { runCommand } from "../support/run-command.ts";
import { type Running, startInFrontOf, temporaryFolder } from "../support/running.ts";
import { inOrder } from "../support/upstream/script.ts";
import { startUpstream } from "../support/upstream/start-upstream.ts";
import { call, respond } from "../support/upstream/turn.ts";

const SESSION = "1a15f57c-98c7-4f47-b90a-57aa5df53fdc";
const tool = (event: string, name: string, id: string, fields: object): object => ({
  hook_event_name: event,
  session_id: SESSION,
  cwd: "/project",
  prompt_id: "p1",
  tool_name: name,
  tool_use_id: id,
  ...fields,
});
/** Four calls, two of them failed; the second failure directly follows the first. */
const EVENTS: readonly object[] = [
  tool("PostToolUse", "Read", "toolu_01Read", {
    tool_input: { file_path: "/a.ts" },
    tool_response: { type: "text" },
    duration_ms: 5,
  }),
  tool("PostToolUseFailure", "Bash", "toolu_02Bash", {
    tool_input: { command: "make" },
    error: "Exit code 1",
    is_interrupt: false,
    duration_ms: 900,
  }),
  tool("PostToolUseFailure", "Edit", "toolu_03Edit", {
    tool_input: { file_path: "/b.ts" },
    error: "something went wrong",
    is_interrupt: false,
    duration_ms: 7,
  }),
  tool("PostToolUse", "Write", "toolu_04Write", {
    tool_input: { file_path: "/c.ts" },
    tool_response: { type: "create" },
    duration_ms: 6,
  }),
  { hook_event_name: "Stop", session_id: SESSION, cwd: "/project", stop_hook_active: false },
];

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
const start = async (
  targets: readonly ("langfuse" | "otlp")[] = ["langfuse"],
  options: Parameters<typeof startInFrontOf>[1] = {},
): Promise<Running> => {
  running = await startInFrontOf("http://127.0.0.1:9", {
    ...options,
    data,
    now: () => time,
    exporting: {
      targets: targets.map((name) => createTarget(name, environment(), "1.2.3")),
      content: false,
      giveUpAfterMs: 86_400_000,
      everyMs: 20,
    },
  });
  return running;
};
const stop = async (): Promise<void> => {
  await running?.close();
  running = undefined;
};
async function sendHookEvents(url: string): Promise<void> {
  for (const event of EVENTS) {
    time += 1000;
    await fetch(`${url}/hooks/claude-code`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(event),
    });
    await running?.server.drain();
  }
}
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1500 && !(await condition()); tries += 1) await sleep(20);
}
const withdrawn = (): string[] =>
  receiver.received
    .filter(({ method }) => method === "DELETE")
    .map(({ path }) => path.replace("/api/public/scores/", ""))
    .sort();
const scores = (): Record<string, unknown>[] =>
  receiver.received.filter(({ path }) => path.endsWith("/scores")).map(({ body }) => body);
interface Span {
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly attributes: { key: string; value: Record<string, unknown> }[];
}
const spans = (): Span[] =>
  receiver.received
    .filter(({ path }) => path.endsWith("/traces"))
    .flatMap(
      ({ body }) =>
        (body as never as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }).resourceSpans[0]?.scopeSpans[0]
          ?.spans ?? [],
    );

const spansTo = (path: string): Span[] =>
  receiver.received.flatMap((one) =>
    one.path === path
      ? ((one.body as never as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }).resourceSpans[0]?.scopeSpans[0]
          ?.spans ?? [])
      : [],
  );
const attributeOf = ({ attributes }: Span, name: string): unknown =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0];

interface Evaluation {
  readonly spanId: string;
  readonly observedTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}
/** The evaluation events that a collector has received. */
const evaluations = (): readonly Evaluation[] =>
  receiver.received
    .filter(({ path }) => path === "/v1/logs")
    .flatMap(({ body }) => {
      const { resourceLogs } = body as never as {
        resourceLogs: { scopeLogs: { logRecords: (Omit<Evaluation, "attributes"> & Pick<Span, "attributes">)[] }[] }[];
      };
      return resourceLogs[0]?.scopeLogs[0]?.logRecords ?? [];
    })
    .map(({ attributes, ...record }) => ({
      ...record,
      attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
    }));

beforeEach(async () => {
  receiver = await startReceiver();
  data = temporaryFolder();
  time = Date.now();
});
afterEach(async () => {
  await stop();
  await receiver.close();
  rmSync(data, { recursive: true, force: true });
});

/** Expected scores, each exactly once: by tool, then by session. */
const EXPECTED = {
  Bash: { tool_success: 0, failure_category: "exit_code", error_severity: 0.8, is_cascade_failure: 0 },
  Edit: { tool_success: 0, failure_category: "error", error_severity: 0.6, is_cascade_failure: 1 },
  Read: { tool_success: 1 },
  Write: { tool_success: 1 },
  session: { session_success_rate: 0.5, session_health: "degraded", dominant_failure_mode: "error" },
};
function received(): Record<string, Record<string, unknown>> {
  const tools = new Map(spans().map(({ spanId, name }) => [spanId, name.replace("execute_tool ", "")]));
  const found: Record<string, Record<string, unknown>> = {};
  for (const { observationId, name, value } of scores()) {
    if (name === "session_rate_health") continue;
    const of = observationId === undefined ? "session" : (tools.get(String(observationId)) ?? "?");
    found[of] = { ...found[of], [String(name)]: value };
  }
  return found;
}

describe("live export", () => {
  it("exports four tool events and a stop as four spans below a root with their scores, once each, with correct ids, values and types (K1, K14)", async () => {
    const { url } = await start();
    await sendHookEvents(url);
    time += 15_000;
    await until(async () => (await running?.server.store.backlog())?.length === 0);
    expect(received()).toEqual(EXPECTED);
    expect(receiver.received.flatMap(({ problems }) => problems)).toEqual([]);
    expect(
      spans()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["Bash", "Edit", "Read", "Write", "claude-code"]);
    const ids = scores().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(scores().every(({ id, observationId, traceId, name }) => id === `${observationId ?? traceId}-${name}`)).toBe(
      true,
    );
    const types = Object.fromEntries(scores().map(({ name, dataType }) => [name, dataType]));
    expect(types).toMatchObject({
      tool_success: "BOOLEAN",
      failure_category: "CATEGORICAL",
      error_severity: "NUMERIC",
      is_cascade_failure: "BOOLEAN",
      session_success_rate: "NUMERIC",
      session_health: "CATEGORICAL",
    });
    const edit = spans().find(({ name }) => name === "Edit");
    const metadata = Object.fromEntries(
      (edit?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]),
    );
    expect(metadata).toMatchObject({
      "langfuse.observation.metadata.position": "2",
      "langfuse.observation.metadata.preceding_tool": "Bash",
      "langfuse.observation.metadata.preceding_success": "false",
      "session.id": SESSION,
    });
  });

  it("loses and duplicates nothing when the receiver is down for a minute and Toolmend restarts meanwhile", async () => {
    let refused = 0;
    receiver.refuse = () => {
      refused += 1;
      return { status: 503 };
    };
    const { url } = await start();
    await sendHookEvents(url);
    time += 15_000;
    await until(() => refused > 0);
    await stop();
    time += 30_000;
    await start();
    time += 30_000;
    await until(() => refused > 1);
    receiver.refuse = () => undefined;
    await until(async () => {
      // The last rejection may still be in flight, so also pass the backoff that follows it.
      time += 60_000;
      return (await running?.server.store.backlog())?.length === 0;
    });
    expect(received()).toEqual(EXPECTED);
    const ids = scores().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(spans().map(({ spanId }) => spanId)).size).toBe(5);
  });

  it("retracts the scores of a failure that turns out to be ok, for the call and its session", async () => {
    const { url } = await start();
    const say = async (source: string, content: string, is_error: boolean): Promise<void> => {
      await fetch(`${url}/api/ingest`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ source, session_id: "s", tool_call_id: "c1", tool_name: "Read", content, is_error }),
      });
      await running?.server.drain();
      time += 15_000;
      await until(async () => (await running?.server.store.backlog())?.length === 0);
    };
    await say("hook", "Error: timed out", true);
    const sent = scores().map(({ id, name }) => [String(name), String(id)] as const);
    const before = new Map(sent);
    expect(withdrawn()).toEqual([]);
    await say("transcript", "forty-two lines", false);
    expect(withdrawn()).toEqual(
      ["failure_category", "error_severity", "is_cascade_failure", "dominant_failure_mode"]
        .map((name) => before.get(name))
        .sort(),
    );
    expect(scores().at(-1)).toMatchObject({ name: "session_health", value: "healthy" });
    expect(receiver.received.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it("exports a call without a result as incomplete, counts it, and corrects score, level and health when the result arrives late", async () => {
    const { url } = await start(["langfuse"], { idleTimeoutMs: 60_000, sweepMs: 20 });
    const send = async (fields: object): Promise<void> => {
      await fetch(`${url}/api/ingest`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ source: "hook", session_id: "s", tool_call_id: "c1", tool_name: "Read", ...fields }),
      });
      await running?.server.drain();
    };
    const calls = (): readonly Span[] => spans().filter(({ name }) => name === "Read");
    const levels = (): unknown[] =>
      calls().map(
        ({ attributes }) => attributes.find(({ key }) => key === "langfuse.observation.level")?.value.stringValue,
      );
    const latest = (): Record<string, unknown> => Object.fromEntries(scores().map(({ name, value }) => [name, value]));
    await send({});
    time += 61_000;
    await until(() => {
      // Each sweep may need a moment of its own, and an item waits ten seconds before it is sent.
      time += 1000;
      const sent = latest();
      return sent.session_health === "degraded" && sent.failure_category !== undefined;
    });
    expect(levels()).toEqual(["ERROR"]);
    expect(latest()).toMatchObject({ tool_success: 0, failure_category: "incomplete", session_health: "degraded" });
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('category="incomplete"} 1');
    await send({ content: "forty-two lines", is_error: false });
    time += 15_000;
    await until(async () => (await running?.server.store.backlog())?.length === 0);
    expect(levels()).toEqual(["ERROR", "DEFAULT"]);
    expect(new Set(calls().map(({ spanId }) => spanId)).size).toBe(1);
    expect(latest()).toMatchObject({ tool_success: 1, session_health: "healthy" });
    expect(receiver.received.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it("exports a call without a result that only a followed transcript reported, unless it was made before the start", async () => {
    const { url } = await start(["langfuse"], { idleTimeoutMs: 60_000, sweepMs: 20 });
    const report = async (session_id: string, occurred_at: number): Promise<void> => {
      const line = {
        source: "transcript",
        session_id,
        tool_call_id: `c-${session_id}`,
        tool_name: session_id,
        occurred_at,
      };
      const headers = { "content-type": "application/json" };
      await fetch(`${url}/api/ingest`, { method: "POST", headers, body: JSON.stringify(line) });
    };
    await report("Old", time - 3_600_000);
    time += 1000;
    await report("New", time);
    await running?.server.drain();
    time += 61_000;
    await until(() => {
      time += 1000;
      return scores().some(({ value }) => value === "incomplete");
    });
    await until(async () => {
      time += 1000;
      return (await running?.server.store.backlog())?.length === 0;
    });
    const named = spans().map(({ name }) => name);
    expect([named.includes("New"), named.includes("Old")]).toEqual([true, false]);
  });

  it("sends an OTLP collector each span once, and corrects an outcome by evaluation events that are observed later", async () => {
    const startedAt = BigInt(Date.now());
    const { url } = await start(["otlp"], { idleTimeoutMs: 60_000, sweepMs: 20 });
    const send = async (fields: object): Promise<void> => {
      await fetch(`${url}/api/ingest`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ source: "hook", session_id: "s", tool_call_id: "c1", tool_name: "Read", ...fields }),
      });
      await running?.server.drain();
    };
    const verdicts = (score: string): (readonly unknown[])[] =>
      evaluations()
        .filter(({ attributes }) => attributes["gen_ai.evaluation.name"] === score)
        .map(({ attributes, spanId }) => [
          attributes["gen_ai.evaluation.score.value"] ?? attributes["gen_ai.evaluation.score.label"],
          attributes["toolmend.score.id"],
          spanId,
        ]);
    const sentSpans = (): Readonly<Record<string, Span>> =>
      Object.fromEntries(spansTo("/v1/traces").map((span) => [span.name, span]));
    await send({});
    time += 61_000;
    await until(() => {
      time += 1000;
      return verdicts("session_health").at(-1)?.[0] === "degraded" && spansTo("/v1/traces").length === 2;
    });
    await send({ content: "forty-two lines", is_error: false });
    time += 15_000;
    await until(async () => (await running?.server.store.backlog())?.length === 0);
    await until(() => verdicts("session_health").at(-1)?.[0] === "healthy");

    const names = spansTo("/v1/traces").map(({ name }) => name);
    expect(names.toSorted()).toEqual(["execute_tool Read", "invoke_agent"]);
    const { invoke_agent: root, "execute_tool Read": tool } = sentSpans();
    // The session was healthy as long as the call could still get its result.
    const [health, success] = [verdicts("session_health").slice(-2), verdicts("tool_success")];
    expect(health.map(([value]) => value)).toEqual(["degraded", "healthy"]);
    expect(success.map(([value]) => value)).toEqual(["0", "1"]);
    // The same score of the same span.
    expect([new Set(health.map(([, id]) => id)).size, new Set(success.map(([, id]) => id)).size]).toEqual([1, 1]);
    expect(health.map(([, , spanId]) => spanId)).toEqual([root?.spanId, root?.spanId]);
    expect(success.map(([, , spanId]) => spanId)).toEqual([tool?.spanId, tool?.spanId]);
    const observed = evaluations().map(({ observedTimeUnixNano }) => BigInt(observedTimeUnixNano) / 1_000_000n);
    expect(observed).toEqual(observed.toSorted((a, b) => Number(a - b)));
    expect(observed.every((at) => at >= startedAt && at <= BigInt(Date.now()))).toBe(true);
    expect(receiver.received.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it("exports a session of the proxy as a trace in order: root with the prompt, generations, tools", async () => {
    const upstream = await startUpstream({
      script: inOrder(respond(call("read", { path: "a.txt" }, "call_1")), respond("Done.")),
    });
    running = await startInFrontOf(upstream.url, {
      // The clock moves, so that the order of spans follows from their times.
      now: () => (time += 1),
      ...{ data, capture: "full" },
      exporting: {
        targets: [createTarget("langfuse", environment(), "1.2.3"), createTarget("otlp", environment(), "1.2.3")],
        ...{ content: true, giveUpAfterMs: 86_400_000, everyMs: 20 },
      },
    });
    const { url } = running;
    const history: object[] = [{ role: "user", content: "Fix the build, my key is sk-live-0123456789abcdef0123" }];
    for (const next of [{ role: "tool", tool_call_id: "call_1", content: "Error: ENOENT: no such file" }, undefined]) {
      time += 2000;
      const tools = [{ type: "function", function: { name: "read", parameters: { type: "object" } } }];
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-toolmend-session": "trip-1" },
        body: JSON.stringify({ model: "m", messages: history, tools }),
      });
      const { choices } = (await response.json()) as { choices: { message: object }[] };
      if (next !== undefined) history.push(choices[0]?.message as object, next);
    }
    await running.server.drain();
    time += 31 * 60_000;
    await until(async () => {
      time += 5000;
      return spansTo("/v1/traces").some(({ name }) => name.startsWith("invoke_agent"));
    });
    await upstream.close();
    expect(receiver.received.flatMap(({ problems }) => problems)).toEqual([]);
    expect(conventionProblems(spansTo("/v1/traces"))).toEqual([]);
    const trace = new Map(spansTo("/api/public/otel/v1/traces").map((span) => [span.spanId, span]));
    // A root starts with its first request.
    const isChild = ({ parentSpanId }: Span): number => Number(parentSpanId !== undefined);
    const ordered = [...trace.values()].sort(
      (a, b) => Number(a.startTimeUnixNano) - Number(b.startTimeUnixNano) || isChild(a) - isChild(b),
    );
    expect(ordered.map((span) => [attributeOf(span, "langfuse.observation.type"), span.name])).toEqual([
      ["agent", "plain"],
      ["generation", "m"],
      ["tool", "read"],
      ["generation", "m"],
    ]);
    const [root, generation] = ordered;
    expect(ordered.slice(1).map(({ parentSpanId }) => parentSpanId)).toEqual([
      root?.spanId,
      root?.spanId,
      root?.spanId,
    ]);
    const input = String(attributeOf(root as Span, "langfuse.observation.input"));
    expect(input).toContain("Fix the build");
    expect(input).not.toContain("0123456789");
    expect(JSON.parse(String(attributeOf(generation as Span, "langfuse.observation.usage_details")))).toMatchObject({
      total: expect.any(Number),
    });
    await stop();
  });

  it("sends to an OTLP collector too, and reports its state", async () => {
    const { url } = await start(["langfuse", "otlp"]);
    await sendHookEvents(url);
    const status = (await (await fetch(`${url}/api/export`)).json()) as {
      targets: { target: string; waiting: number }[];
    };
    expect(status.targets.map(({ target, waiting }) => [target, waiting])).toEqual([
      ["langfuse", 5],
      ["otlp", 5],
    ]);
    time += 15_000;
    await until(async () => (await running?.server.store.backlog())?.length === 0);
    expect(receiver.received.some(({ path }) => path === "/v1/logs")).toBe(true);
    expect(receiver.received.flatMap(({ problems }) => problems)).toEqual([]);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain(
      'toolmend_export_events_total{target="otlp",result="sent"}',
    );
  });
});

describe("toolmend export", () => {
  const run = (...args: string[]): ReturnType<typeof runCommand> =>
    runCommand(["export", "langfuse", "--data", data, ...args], { environment: environment(), now: () => time });

  it("sends recorded items without a server, predicts their number in a dry run, and sends nothing twice", async () => {
    const { url } = await startInFrontOf("http://127.0.0.1:9", { data }).then((one) => {
      running = one;
      return one;
    });
    await sendHookEvents(url);
    await stop();
    expect((await run("--dry-run")).out).toBe(
      "Would send to langfuse: at most 5 spans and 14 scores of 1 session. What was sent before is skipped.\n",
    );
    expect(receiver.received).toEqual([]);
    expect(await run()).toEqual({ code: 0, out: "langfuse has received 5 spans of 1 session.\n", err: "" });
    expect(received()).toEqual(EXPECTED);
    // The number the dry run printed.
    expect([spans().length, scores().length]).toEqual([5, 14]);
    const before = receiver.received.length;
    await run();
    expect(receiver.received.length).toBe(before);
    await run("--force");
    expect(receiver.received.length).toBe(2 * before);
  });

  it.each(["langfuse", "otlp"])("sends %s everything again if it is another server or project", async (target) => {
    const { url } = await startInFrontOf("http://127.0.0.1:9", { data }).then((one) => {
      running = one;
      return one;
    });
    await sendHookEvents(url);
    await stop();
    const other = await startReceiver();
    const to = (changes: Record<string, string>) =>
      runCommand(["export", target, "--data", data], {
        environment: { ...environment(), ...changes },
        now: () => time,
      });
    await to({});
    const count = receiver.received.length;
    await to({ LANGFUSE_HOST: other.url, OTEL_EXPORTER_OTLP_ENDPOINT: other.url });
    expect([receiver.received.length, other.received.length]).toEqual([count, count]);
    await to({ LANGFUSE_HOST: other.url, OTEL_EXPORTER_OTLP_ENDPOINT: other.url });
    expect(other.received.length).toBe(count);
    await to({ LANGFUSE_HOST: other.url, OTEL_EXPORTER_OTLP_ENDPOINT: other.url, LANGFUSE_PUBLIC_KEY: "pk-lf-9" });
    expect(other.received.length).toBe(target === "langfuse" ? 2 * count : count);
    await other.close();
  });

  it.each([
    ["an export", []],
    ["a dry run", ["--dry-run"]],
  ])("%s of a folder without data fails, and does not create it", async (_, args) => {
    const folder = join(data, "typo");
    const { code, err } = await runCommand(["export", "langfuse", "--data", folder, ...args], {
      environment: environment(),
    });
    expect([code, err]).toEqual([1, expect.stringContaining(`Nothing recorded in ${folder} yet.`)]);
    expect(existsSync(folder)).toBe(false);
  });

  it("uses the running server and reports why the target rejects items", async () => {
    const { url } = await start();
    await sendHookEvents(url);
    time += 15_000;
    await until(async () => (await running?.server.store.backlog())?.length === 0);
    const before = receiver.received.length;
    expect((await run("--force", "--json")).out).toBe('{"target":"langfuse","sessions":1,"items":5}\n');
    expect(receiver.received.length).toBe(2 * before);
    await stop();
    receiver.refuse = () => ({ status: 401 });
    const { code, err } = await run("--force");
    expect(code).toBe(1);
    expect(err).toContain("Export to langfuse failed: HTTP 401. 5 items are queued.");
    expect(err.split("failed:").length).toBe(2);
    expect(err).not.toContain("sk-lf");
  });

  it("waits when the target only asks for a pause", async () => {
    const { url } = await startInFrontOf("http://127.0.0.1:9", { data }).then((one) => {
      running = one;
      return one;
    });
    await sendHookEvents(url);
    await stop();
    let pauses = 0;
    receiver.refuse = () => {
      pauses += 1;
      return pauses === 2 ? { status: 429, headers: { "retry-after": "1" } } : undefined;
    };
    const paused = await runCommand(["export", "langfuse", "--data", data], {
      environment: environment(),
      now: Date.now,
    });
    expect([paused.code, paused.out]).toEqual([0, "langfuse has received 5 spans of 1 session.\n"]);
    expect([spans().length, scores().length]).toEqual([5, 14]);
  });

  it("does not wait for items that live traffic adds meanwhile", async () => {
    const { url } = await start();
    await sendHookEvents(url);
    // The clock does not advance, so none of it becomes due.
    expect((await run("--until", "1d", "--json")).out).toBe('{"target":"langfuse","sessions":0,"items":0}\n');
    expect(await running?.server.store.backlog()).toMatchObject([{ waiting: 5 }]);
  });

  it("names the missing key", async () => {
    const { code, err } = await runCommand(["export", "langfuse", "--data", data]);
    expect([code, err]).toEqual([
      1,
      "Export to Langfuse needs LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY in the environment (Langfuse: project settings, API keys).\n",
    ]);
  });
});
