import { describe, expect, it } from "vitest";
import { encodeBody, encodeStream, framesOf } from "../../../../test/support/encode-turn.ts";
import { call, type ModelTurn, respond } from "../../../../test/support/upstream/turn.ts";
import { type Api, WIRE } from "../../wire/index.ts";
import { repairJsonResponse } from "../json-response.ts";
import { createStreamRepairer } from "../stream/stream-repairer.ts";
import type { RepairOptions } from "../types.ts";
import type { CallRepairOptions } from "./types.ts";

const STREAMS = ["anthropic", "chat", "responses"] as const;
const TOOLS = [
  {
    name: "read",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string" },
        lines: { type: "integer" },
        tags: { type: "array", items: { type: "string" } },
        mode: { enum: ["fast", "Deep"] },
        opts: { type: "object" },
      },
      required: ["path"],
    },
  },
  { name: "now", parameters: { type: "object", properties: {} } },
];
const CALLS: CallRepairOptions = { isEnabled: () => true, isAllowed: () => true, isRenamedLater: () => false };

function options(more: Partial<RepairOptions> = {}): RepairOptions {
  let next = 0;
  return {
    tools: TOOLS,
    names: "known",
    context: () => [],
    parallel: true,
    calls: CALLS,
    randomAlphanumeric: (length) => {
      next += 1;
      return String(next).padStart(length, "x");
    },
    ...more,
  };
}

function repairStream(api: Api, stream: string, more: Partial<RepairOptions> = {}) {
  const failures: unknown[] = [];
  const repairer = createStreamRepairer(api, { ...options(more), onFailure: (error) => failures.push(error) });
  let maxWaiting = 0;
  let waiting = 0;
  const out: Uint8Array[] = [];
  for (const frame of framesOf(stream)) {
    out.push(...repairer.push(frame));
    waiting = repairer.isBuffering ? waiting + 1 : 0;
    maxWaiting = Math.max(maxWaiting, waiting);
  }
  out.push(...repairer.end());
  expect(failures).toEqual([]);
  const text = Buffer.concat(out).toString();
  const decoder = WIRE[api].createStreamDecoder();
  for (const { data } of framesOf(text)) if (data !== undefined) decoder.push(data);
  return { text, decoded: decoder.end(), reports: repairer.callReports, maxWaiting };
}

function repairBody(api: Api, body: string, more: Partial<RepairOptions> = {}) {
  const result = repairJsonResponse(api, body, options(more));
  const text = result.kind === "repaired" ? result.text : body;
  const decoded = WIRE[api].decodeResponse(JSON.parse(text));
  return { text, decoded, reports: result.kind === "unchanged" ? [] : result.callReports };
}

const chunked = (characters: number, name: string, args: string): ModelTurn => ({
  ...respond("I look.", call(name, args)),
  chunking: { characters },
});
const argumentsOf = (value: unknown): unknown => (typeof value === "string" ? JSON.parse(value) : value);

/** What the model sends, what the client receives, and the classes of the repairs. */
const REPAIRED: readonly [name: string, args: string, expected: unknown, classes: readonly string[]][] = [
  ["read", '{"path": "a", "lines": "5"}', { path: "a", lines: 5 }, ["number-as-text"]],
  ["read", '{"path":"a","tags":"[\\"x\\", \\"y\\"]"}', { path: "a", tags: ["x", "y"] }, ["json-as-text"]],
  ["read", '{"lines": null, "path": "a"}', { path: "a" }, ["null-for-optional"]],
  ["read", '{"path": "a", "mode": "DEEP"}', { path: "a", mode: "Deep" }, ["enum-spelling"]],
  ["read", '{"arguments": {"path": "a"}}', { path: "a" }, ["wrapper"]],
  ["read", '{"Path": "a"}', { path: "a" }, ["key-spelling"]],
  ["read", '"{\\"path\\": \\"a\\"}"', { path: "a" }, ["double-encoded"]],
  ["read", "{'path': 'a', 'lines': None}", { path: "a" }, ["syntax", "null-for-optional"]],
  ["read", '{}{"path": "a"}', { path: "a" }, ["empty-object-first"]],
  ["read", '{"path": "a"}{"path": "a"}', { path: "a" }, ["repeated"]],
  ["read", '{"path": "a"}</tool_call>', { path: "a" }, ["trailing-text"]],
  ["Read", '{"path": "a"}', { path: "a" }, ["name"]],
  ["readread", '{"path": "a", "lines": "7"}', { path: "a", lines: 7 }, ["name", "number-as-text"]],
];
const FITTING = [
  '{"path": "00420", "lines": 5, "tags": ["[draft]", "null"], "mode": "fast", "opts": {"a": [1, null]}}',
  '{ "path" : "a\\nb \\u00e9 \\"q\\"" , "extra": "5" }',
  `{"path":"a","opts":{"text":${JSON.stringify("{".repeat(40))}}}`,
];

describe.each(STREAMS)("native calls in responses of %s", (api) => {
  describe.each(REPAIRED)("%s(%s)", (name, args, expected, classes) => {
    it.each([1, 4, 16, 1000])("a native call is repaired in deltas of %i characters", (characters) => {
      const { decoded, reports } = repairStream(api, encodeStream(api, chunked(characters, name, args)));
      expect(decoded.calls.map((made) => [made.name, argumentsOf(made.arguments)])).toEqual([
        [expectName(name), expected],
      ]);
      expect(decoded.text).toBe("I look.");
      expect(reports).toHaveLength(1);
      expect(reports[0]).toMatchObject({ result: "repaired", tool_name: expectName(name) });
      expect(reports[0]?.repairs.map((repair) => repair.class)).toEqual(classes);
    });
  });

  // A body of the Messages API contains the arguments as an object, so it cannot contain text that is not JSON.
  const inBodies = REPAIRED.filter(([, args]) => api !== "anthropic" || isObjectText(args));
  it.each(inBodies)("%s(%s) is repaired in a JSON body", (name, args, expected, classes) => {
    const { decoded, reports } = repairBody(api, encodeBody(api, respond("I look.", call(name, args))));
    expect(decoded?.calls.map((made) => [made.name, argumentsOf(made.arguments)])).toEqual([
      [expectName(name), expected],
    ]);
    expect(reports[0]?.repairs.map((repair) => repair.class)).toEqual(classes);
  });

  it.each(FITTING)("the call %s(%s) fits and leaves byte for byte, in streams and in bodies", (args) => {
    for (const characters of [1, 4, 16, 1000]) {
      const stream = encodeStream(api, chunked(characters, "read", args));
      const { text, reports } = repairStream(api, stream);
      expect(text).toBe(stream);
      expect(reports).toEqual([]);
    }
    const body = encodeBody(api, respond(call("read", args)));
    expect(repairBody(api, body)).toMatchObject({ text: body, reports: [] });
  });

  it("a call that cannot be repaired leaves unchanged, and the problem is reported", () => {
    const stream = encodeStream(api, chunked(4, "read", '{"lines": 5}'));
    const { text, reports } = repairStream(api, stream);
    expect(text).toBe(stream);
    expect(reports).toMatchObject([{ result: "left", repairs: [], before: '{"lines": 5}' }]);
    expect(reports[0]?.problem).toContain("path");
  });

  it("an undeclared tool stays as it is", () => {
    const stream = encodeStream(api, chunked(4, "write", '{"lines": "5"}'));
    const { text, reports } = repairStream(api, stream);
    expect(text).toBe(stream);
    expect(reports).toMatchObject([{ result: "left", tool_name: "write", problem: "name is not a declared tool" }]);
  });

  it("a long text is not buffered because a number before it was text", () => {
    const content = "word ".repeat(2000);
    const args = JSON.stringify({ lines: "5", path: content });
    const { decoded, maxWaiting } = repairStream(api, encodeStream(api, chunked(4, "read", args)));
    expect(argumentsOf(decoded.calls[0]?.arguments)).toEqual({ lines: 5, path: content });
    // After a repair, 1,024 characters wait at most: 256 deltas of 4, and the value itself.
    expect(maxWaiting).toBeLessThanOrEqual(262);
  });

  it("arguments that were cut off stay as they are", () => {
    const cut: ModelTurn = { ...chunked(4, "read", '{"path": "a", "lines": "'), stopReason: "length" };
    const stream = encodeStream(api, cut);
    expect(repairStream(api, stream).text).toBe(stream);
  });

  it("a stream that ends early is emitted completely", () => {
    const frames = framesOf(encodeStream(api, chunked(4, "read", '{"path": "a", "lines": "15"}'))).slice(0, -6);
    const stream = Buffer.concat(frames.map(({ raw }) => raw)).toString();
    const { text } = repairStream(api, stream);
    expect(framesOf(text)).toHaveLength(frames.length);
  });

  it("a class that is switched off is not repaired", () => {
    const calls = { ...CALLS, isEnabled: (fault: string) => fault !== "number-as-text" };
    const stream = encodeStream(api, chunked(4, "read", '{"path": "a", "lines": "5"}'));
    expect(repairStream(api, stream, { calls }).text).toBe(stream);
    const body = encodeBody(api, respond(call("read", '{"path": "a", "lines": "5"}')));
    expect(repairBody(api, body, { calls })).toMatchObject({ text: body, reports: [{ result: "left" }] });
  });

  it("a tool that is not allowed keeps its calls", () => {
    const calls = { ...CALLS, isAllowed: (tool: string) => tool !== "read" };
    const stream = encodeStream(api, chunked(4, "Read", '{"path": "a", "lines": "5"}'));
    expect(repairStream(api, stream, { calls }).text).toBe(stream);
  });

  it("what was repaired is not changed again", () => {
    for (const [name, args] of REPAIRED) {
      const once = repairStream(api, encodeStream(api, chunked(4, name, args))).text;
      expect(repairStream(api, once).text).toBe(once);
    }
  });
});

function expectName(written: string): string {
  return written.toLowerCase() === "readread" ? "read" : written.toLowerCase();
}

function isObjectText(args: string): boolean {
  try {
    const value: unknown = JSON.parse(args);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

it("all events of the Responses API repeat the repaired arguments, and sequence numbers have no gaps", () => {
  const { text } = repairStream(
    "responses",
    encodeStream("responses", chunked(4, "Read", '{"path": "a", "lines": "5"}')),
  );
  const events = framesOf(text).map(({ data }) => JSON.parse(data ?? "{}"));
  const done = events.find(({ type }) => type === "response.function_call_arguments.done");
  const item = events.find(({ type, item }) => type === "response.output_item.done" && item.type === "function_call");
  const completed = events.find(({ type }) => type === "response.completed");
  const deltas = events.filter(({ type }) => type === "response.function_call_arguments.delta");
  const last = completed.response.output.at(-1);
  expect(deltas.map(({ delta }) => delta).join("")).toBe('{"path": "a", "lines": 5}');
  expect([done.arguments, item.item.arguments, last.arguments]).toEqual(Array(3).fill('{"path": "a", "lines": 5}'));
  expect([item.item.name, last.name]).toEqual(["read", "read"]);
  expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, at) => at));
});

it("calls that never become complete pass through a Chat stream in linear time", () => {
  const chunks = Array.from({ length: 60_000 }, (_, index) => {
    const call = { index, id: `c${index}`, type: "function", function: { name: "read", arguments: '{"path":' } };
    return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] })}\n\n`;
  });
  const repairer = createStreamRepairer("chat", options());
  const frames = framesOf(chunks.join(""));
  const startedAt = performance.now();
  const out = Buffer.concat([...frames.flatMap((frame) => [...repairer.push(frame)]), ...repairer.end()]);
  // Linear work takes about a second on an idle machine; looking at every open call for each new one took a minute.
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  expect(out.toString()).toBe(chunks.join(""));
});

describe("very many calls of one response", () => {
  const COUNT = 8000;
  const numbers = Array.from({ length: COUNT }, (_, index) => index);
  const sse = (events: readonly object[]): string => events.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("");
  const args = '{"path":5}';
  const chatCall = (index: number) => ({
    index,
    id: `c${index}`,
    type: "function",
    function: { name: "read", arguments: args },
  });
  const chunk = (delta: object, reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  const item = (index: number) => ({
    type: "function_call",
    id: `f${index}`,
    call_id: `c${index}`,
    name: "read",
    arguments: args,
  });
  const part = { functionCall: { name: "read", args: { path: 5 } } };
  const completed = { type: "response.completed", response: { status: "completed", output: numbers.map(item) } };

  it.each<[string, Api, readonly object[]]>([
    [
      "Chat, one chunk each",
      "chat",
      [...numbers.map((at) => chunk({ tool_calls: [chatCall(at)] })), chunk({}, "tool_calls")],
    ],
    ["Chat, one chunk", "chat", [chunk({ tool_calls: numbers.map(chatCall) }), chunk({}, "tool_calls")]],
    [
      "Responses, one event each",
      "responses",
      [...numbers.map((at) => ({ type: "response.output_item.done", output_index: at, item: item(at) })), completed],
    ],
    ["Responses, only the last event", "responses", [completed]],
    ["Gemini, one chunk each", "gemini", numbers.map(() => ({ candidates: [{ content: { parts: [part] } }] }))],
    ["Gemini, one chunk", "gemini", [{ candidates: [{ content: { parts: numbers.map(() => part) } }] }]],
  ])("very many calls are repaired in linear time: %s", (_name, api, events) => {
    const stream = sse(events);
    const startedAt = performance.now();
    const repairer = createStreamRepairer(api, options());
    const out = Buffer.concat([...framesOf(stream).flatMap((frame) => [...repairer.push(frame)]), ...repairer.end()]);
    // Linear work takes about a second on an idle machine; quadratic work took a minute and more with most of these.
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(repairer.callReports).toHaveLength(COUNT);
    expect(out.includes("5}")).toBe(false);
  });
});
