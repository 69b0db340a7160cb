import { describe, expect, it } from "vitest";
import { encodeBody, encodeStream, framesOf } from "../../../../test/support/encode-turn.ts";
import { type Block, call, type ModelTurn, respond, say, think } from "../../../../test/support/upstream/turn.ts";
import { WIRE } from "../../wire/index.ts";
import { repairJsonResponse } from "../json-response.ts";
import type { RepairOptions, UnrepairedReason } from "../types.ts";
import { createStreamRepairer } from "./stream-repairer.ts";

const LEAK = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';
const STREAMS = ["anthropic", "chat", "responses"] as const;
type StreamApi = (typeof STREAMS)[number];

function options(more: Partial<RepairOptions> = {}): RepairOptions {
  let next = 0;
  const letters = (length: number): string => {
    next += 1;
    return String(next).padStart(length, "x");
  };
  return {
    tools: [{ name: "read" }],
    names: "known",
    context: () => [],
    parallel: true,
    randomAlphanumeric: letters,
    ...more,
  };
}

function run(api: StreamApi, stream: string, more: Partial<RepairOptions> = {}) {
  const repairer = createStreamRepairer(api, options(more));
  const steps = framesOf(stream).map((frame) => ({ frame, out: repairer.push(frame) }));
  const last = repairer.end();
  const text = Buffer.concat([...steps.flatMap(({ out }) => out), ...last]).toString();
  const decoder = WIRE[api].createStreamDecoder();
  for (const { data } of framesOf(text)) if (data !== undefined) decoder.push(data);
  return { repairer, steps, text, decoded: decoder.end() };
}

const chunked = (characters: number, ...blocks: readonly (Block | string)[]): ModelTurn => ({
  ...respond(...blocks),
  chunking: { characters },
});
const STOP = { anthropic: "tool_use", chat: "tool_calls", responses: "completed" } as const;
/** The event at which the deltas end. */
const CLOSING = {
  anthropic: "event: content_block_stop",
  chat: '"finish_reason":"stop"',
  responses: "event: response.output_text.done",
} as const;
const ERROR = {
  anthropic: 'event: error\ndata: {"type":"error","error":{"type":"x"}}\n\n',
  chat: 'data: {"error":{"message":"x"}}\n\n',
  responses: 'event: error\ndata: {"type":"error","message":"x","sequence_number":99}\n\n',
} as const;
const events = (text: string) =>
  framesOf(text).map(({ data }) => (data === "[DONE]" ? data : JSON.parse(data ?? "null")));

describe.each(STREAMS)("createStreamRepairer for %s", (api) => {
  it.each([1, 4, 16, 1000])("repairs a leak that is streamed in chunks of %i characters", (characters) => {
    const { decoded, repairer } = run(api, encodeStream(api, chunked(characters, `I look. ${LEAK}`)));
    expect(decoded).toMatchObject({
      text: "I look.",
      finished: true,
      stopReason: STOP[api],
    });
    expect(decoded.calls).toEqual([{ id: expect.any(String), name: "read", arguments: '{"path": "a.txt"}' }]);
    expect(decoded.usage).toEqual(
      run(api, encodeStream(api, chunked(characters, `I look. ${LEAK}`)), { blocked: "observe" }).decoded.usage,
    );
    expect(repairer.leaks).toMatchObject([{ result: "recovered", parsed: 1, format: "hermes-json" }]);
  });

  it("preserves the text around calls and emits the text before them immediately", () => {
    const { decoded, steps } = run(
      api,
      encodeStream(api, chunked(4, `Now I look.\n${LEAK}\nThen the other.\n${LEAK.replace("a.txt", "b")}\nI am done.`)),
    );
    expect(decoded.text).toBe("Now I look.\nThen the other.\nI am done.");
    expect(decoded.calls.map((made) => made.arguments)).toEqual(['{"path": "a.txt"}', '{"path": "b"}']);
    const early = steps.find(({ frame }) => frame.data?.includes("I lo"));
    expect(early?.out.length).toBeGreaterThan(0);
  });

  it.each([1, 7])("emits text about calls byte for byte, in chunks of %i characters", (characters) => {
    const text =
      'Use `<tool_call>` like this:\n\n```\n<tool_call>{"name": "read", "arguments": {}}</tool_call>\n```\n\n  1 < 2 and [x]\n';
    const stream = encodeStream(api, chunked(characters, think("Hm."), text, " more", call("read", { path: "x" })));
    const { text: out, steps } = run(api, stream);
    expect(out).toBe(stream);
    expect(steps.filter(({ out: left }) => left.length > 0).length).toBeGreaterThan(5);
  });

  it.each<[UnrepairedReason, ModelTurn, object?]>([
    ["native-call", chunked(4, LEAK, call("read", { path: "b" }))],
    ["max-tokens", { ...chunked(4, LEAK), stopReason: "length" }],
    [api === "anthropic" ? "refusal" : "content-filter", { ...chunked(4, LEAK), stopReason: "refusal" }],
    ["citations", chunked(4, { ...say(LEAK), citations: [{ url: "u" }] })],
  ])("emits the stream unchanged: %s", (reason, turn) => {
    const stream = encodeStream(api, turn);
    const { text, repairer } = run(api, stream);
    expect(text).toBe(stream);
    expect(repairer.leaks).toMatchObject([{ result: "left", reason }]);
  });

  it("emits the stream unchanged if it is aborted or reports an error", () => {
    const stream = encodeStream(api, chunked(4, `Hi. ${LEAK}`));
    const cut = stream.slice(0, stream.indexOf(CLOSING[api]));
    const whole = cut.slice(0, cut.lastIndexOf("\n\n") + 2);
    const aborted = run(api, whole);
    expect(aborted.text).toBe(whole);
    expect(aborted.repairer.leaks).toMatchObject([{ result: "left", reason: "aborted" }]);
    const error = ERROR[api];
    const failed = run(api, whole + error);
    expect(failed.text).toBe(whole + error);
    expect(failed.repairer.leaks).toMatchObject([{ result: "left", reason: "error" }]);
  });

  it("emits the stream unchanged if the buffer would exceed its limit", () => {
    const stream = encodeStream(api, chunked(4, `${LEAK}\n\n${"And so on. ".repeat(100)}`));
    const { text, repairer } = run(api, stream, { maxBufferedBytes: 5000 });
    expect(text).toBe(stream);
    expect(repairer.leaks).toMatchObject([{ result: "left", reason: "buffer-full" }]);
    const long = encodeStream(api, chunked(40, LEAK.replace("a.txt", "a".repeat(3000))));
    const capped = run(api, long, { maxCandidateChars: 1000 });
    expect(capped.text).toBe(long);
    expect(capped.repairer.leaks).toMatchObject([{ result: "left", reason: "too-large" }]);
  });

  it("does not repair an echo of the model's input", () => {
    const stream = encodeStream(api, chunked(3, `Let me run it.\n${LEAK}`));
    const { text, repairer } = run(api, stream, { context: () => [`A page.\n    ${LEAK.replaceAll("\n", "\n    ")}`] });
    expect(text).toBe(stream);
    expect(repairer.leaks).toMatchObject([{ result: "left", reason: "echo" }]);
  });

  it("emits keep-alive events while it is buffering", () => {
    const repairer = createStreamRepairer(api, options());
    const frames = framesOf(encodeStream(api, chunked(4, `Hi. ${LEAK}`)));
    const out = frames.slice(0, 12).flatMap((frame) => repairer.push(frame));
    expect(repairer.isBuffering).toBe(true);
    const ping = repairer.keepAlive() as Uint8Array;
    const rest = [...frames.slice(12).flatMap((frame) => repairer.push(frame)), ...repairer.end()];
    const decoder = WIRE[api].createStreamDecoder();
    for (const { data } of framesOf(Buffer.concat([...out, ping, ...rest]))) decoder.push(data as string);
    expect(decoder.end()).toMatchObject({ text: "Hi.", calls: [{ name: "read" }] });
    expect(repairer.keepAlive()).toBeUndefined();
  });

  it("passes events through after an exception", () => {
    const stream = encodeStream(api, chunked(4, `Hi. ${LEAK} there`));
    const { text } = run(api, stream, {
      context: () => {
        throw new Error("a defect");
      },
    });
    expect(text).toBe(stream);
  });
});

describe("createStreamRepairer for blocks of Messages", () => {
  it("drops a text block that contained only a call, and leaves no gap in the indexes", () => {
    const stream = encodeStream("anthropic", chunked(4, think("Hm."), `\n\n${LEAK}\n`, "Then this."));
    const found = events(run("anthropic", stream).text);
    const starts = found.filter(({ type }) => type === "content_block_start");
    expect(starts.map(({ index, content_block: { type } }) => [index, type])).toEqual([
      [0, "thinking"],
      [1, "text"],
      [2, "tool_use"],
    ]);
    expect(found.filter(({ type }) => type === "content_block_stop").map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(found.at(-2)).toMatchObject({ type: "message_delta", delta: { stop_reason: "tool_use" } });
  });
});

it("createStreamRepairer stops buffering a stream that never ends, and does not repair it", () => {
  const stream = encodeStream("chat", chunked(1 << 20, `${LEAK}\n\n${"Word ".repeat(4 << 20)}`));
  const { text, repairer } = run("chat", stream, { maxBufferedBytes: 1 << 30 });
  expect(text === stream).toBe(true);
  expect(repairer.leaks).toMatchObject([{ reason: "buffer-full" }]);
});

it("createStreamRepairer does not repair a turn that must start with thinking but did not", () => {
  const stream = encodeStream("anthropic", chunked(4, LEAK));
  const { text, repairer } = run("anthropic", stream, { thinkingFirst: true });
  expect(text).toBe(stream);
  expect(repairer.leaks).toMatchObject([{ reason: "thinking" }]);
  const thought = encodeStream("anthropic", chunked(4, think("Hm."), LEAK));
  expect(run("anthropic", thought, { thinkingFirst: true }).repairer.calls).toHaveLength(1);
});

describe("createStreamRepairer for items of Responses", () => {
  const item = (text: string, characters = 4) =>
    encodeStream("responses", chunked(characters, think("Hm."), text, "Then this."));

  it("keeps all events of an item consistent, with sequence numbers without gaps", () => {
    const found = events(run("responses", item(`First. ${LEAK}`)).text);
    expect(found.map(({ sequence_number }) => sequence_number)).toEqual(found.map((_, at) => at));
    const texts = found.filter(({ type }) => type === "response.output_text.done").map(({ text }) => text);
    expect(texts).toEqual(["First.", "Then this."]);
    const done = found.filter(({ type }) => type === "response.output_item.done").map((event) => event.item);
    const last = found.at(-1).response;
    expect(last.output).toEqual(done);
    expect(done.map(({ type }: { type: string }) => type)).toEqual([
      "reasoning",
      "message",
      "message",
      "function_call",
    ]);
    expect(done.at(-1)).toMatchObject({
      name: "read",
      arguments: '{"path": "a.txt"}',
      call_id: expect.stringMatching(/^call_/),
    });
  });

  it("drops a message that contained only a call", () => {
    const found = events(run("responses", item(LEAK)).text);
    expect(found.map(({ sequence_number }) => sequence_number)).toEqual(found.map((_, at) => at));
    const added = found.filter(({ type }) => type === "response.output_item.added");
    expect(added.map((event) => [event.output_index, event.item.type])).toEqual([
      [0, "reasoning"],
      [1, "message"],
      [2, "function_call"],
    ]);
    expect(found.at(-1).response.output.map(({ type }: { type: string }) => type)).toEqual([
      "reasoning",
      "message",
      "function_call",
    ]);
  });

  it("keeps the sequence numbers consecutive when it emits keep-alive events", () => {
    const repairer = createStreamRepairer("responses", options());
    const frames = framesOf(item(`First. ${LEAK}`));
    const out: Uint8Array[] = [];
    for (const frame of frames) {
      out.push(...repairer.push(frame));
      const keepAlive = repairer.keepAlive();
      if (keepAlive !== undefined) out.push(keepAlive);
    }
    const found = events(Buffer.concat(out).toString());
    expect(found.map(({ sequence_number }) => sequence_number)).toEqual(found.map((_, at) => at));
    expect(found.some(({ type }, at) => type === "response.in_progress" && at > 5)).toBe(true);
  });
});

describe("createStreamRepairer for choices of Chat", () => {
  it("repairs each choice separately", () => {
    const turn = {
      ...chunked(4, `One. ${LEAK}`),
      alternatives: [[say("Nothing to do here.")], [say(LEAK.replace("a.txt", "c"))]],
    };
    const { text } = run("chat", encodeStream("chat", turn));
    const perChoice = [0, 1, 2].map((index) =>
      events(text).flatMap((chunk) =>
        (chunk.choices ?? []).filter((choice: { index: number }) => choice.index === index),
      ),
    );
    const content = perChoice.map((chunks) => chunks.map(({ delta }) => delta.content ?? "").join(""));
    expect(content).toEqual(["One.", "Nothing to do here.", ""]);
    expect(perChoice.map((chunks) => chunks.at(-1).finish_reason)).toEqual(["tool_calls", "stop", "tool_calls"]);
    expect(
      perChoice.map((chunks) => chunks.flatMap(({ delta }) => delta.tool_calls ?? []).map(({ index }) => index)),
    ).toEqual([[0], [], [0]]);
  });

  it("does not repair choices with log probabilities", () => {
    const stream = encodeStream("chat", chunked(4, LEAK), { logprobs: true });
    const { text, repairer } = run("chat", stream);
    expect(text).toBe(stream);
    expect(repairer.leaks).toMatchObject([{ reason: "logprobs" }]);
  });

  it("preserves text that arrives with the finish reason, and the usage", () => {
    const chunk = (delta: object, finish: string | null, more: object = {}) =>
      `data: ${JSON.stringify({ id: "c", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\r\n\r\n`;
    const stream = `: hello\r\n\r\n${chunk({ role: "assistant", content: "Hm. <tool_" }, null)}${chunk({ content: `${LEAK.slice(6)} Done.` }, "stop", { usage: { prompt_tokens: 3 } })}data: [DONE]\r\n\r\n`;
    const { decoded, text } = run("chat", stream);
    expect(decoded).toMatchObject({ text: "Hm. Done.", stopReason: "tool_calls", usage: { input_tokens: 3 } });
    expect(decoded.calls).toHaveLength(1);
    expect(text.startsWith(": hello\r\n\r\n")).toBe(true);
  });
});

describe.each(STREAMS)("correction of a malformed native tool name in a stream of %s", (api) => {
  const turn = respond("I look.", call("functions.read", { path: "functions.read" }), call("read", { path: "b" }));
  const stream = encodeStream(api, turn);
  const putRight = stream.replaceAll('"name":"functions.read"', '"name":"read"');

  it("changes only the name, without buffering", () => {
    expect(stream).toContain('"name":"functions.read"');
    const { text, repairer, steps } = run(api, stream);
    expect(text).toBe(putRight);
    expect(repairer.leaks).toMatchObject([{ result: "recovered", format: "native-name", parsed: 1, names: ["read"] }]);
    expect(repairer.calls).toEqual([]);
    const named = steps.find(({ frame }) => frame.data?.includes('"name":"functions.read"'));
    expect(Buffer.concat(named?.out as Uint8Array[]).toString()).toContain('"name":"read"');
  });

  it("changes nothing if repair is blocked", () => {
    expect(run(api, stream, { blocked: "observe" }).text).toBe(stream);
    expect(run(api, stream, { isAllowed: () => false }).text).toBe(stream);
  });

  it("changes only the name in a JSON response", () => {
    const body = encodeBody(api, turn);
    const repaired = repairJsonResponse(api, body, options());
    expect(repaired).toMatchObject({ kind: "repaired", calls: [], leaks: [{ format: "native-name" }] });
    expect(repaired.kind === "repaired" && repaired.text).toBe(
      body.replaceAll('"name":"functions.read"', '"name":"read"'),
    );
  });
});

describe("createStreamRepairer for reasoning in Chat chunks", () => {
  it("emits reasoning immediately and unchanged, and the call before the end", () => {
    const stream = encodeStream("chat", chunked(4, think(`Hm. ${LEAK}`)));
    const { text, steps, decoded } = run("chat", stream);
    for (const { frame, out } of steps.filter(({ frame }) => frame.data?.includes("reasoning_content")))
      expect(Buffer.concat(out as Uint8Array[]).toString()).toBe(Buffer.from(frame.raw).toString());
    expect(decoded.calls).toMatchObject([{ name: "read", arguments: '{"path": "a.txt"}' }]);
    expect(decoded.stopReason).toBe("tool_calls");
    expect(text.indexOf('"tool_calls":[')).toBeLessThan(text.indexOf('"finish_reason":"tool_calls"'));
  });

  it("does not search reasoning above the size limit", () => {
    const stream = encodeStream("chat", {
      ...respond(think(`${"a ".repeat(600_000)}${LEAK}`)),
      chunking: { characters: 65_536 },
    });
    expect(run("chat", stream).text).toBe(stream);
  });
});

describe("createStreamRepairer for Chat chunks with a list of content parts", () => {
  const chunk = (content: unknown, finish: string | null = null): string =>
    `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;
  const parts = (text: string): readonly object[] => [{ type: "text", text }];
  const stream = (characters: number, text: string): string => {
    const cuts = Array.from({ length: Math.ceil(text.length / characters) }, (_, i) =>
      chunk(parts(text.slice(i * characters, (i + 1) * characters))),
    );
    return `${cuts.join("")}${chunk([], "stop")}data: [DONE]\n\n`;
  };
  const textOf = (out: string): string =>
    events(out)
      .flatMap((event) => event.choices?.[0]?.delta?.content ?? [])
      .map((part: { text?: string }) => part.text ?? "")
      .join("");

  it.each([1, 5, 1000])("repairs a leak in chunks of %i characters", (characters) => {
    const { text, repairer } = run("chat", stream(characters, `I look. ${LEAK} Done.`));
    expect(textOf(text)).toBe("I look. Done.");
    expect(repairer.calls).toMatchObject([{ name: "read", arguments: '{"path": "a.txt"}' }]);
    expect(text).toContain('"finish_reason":"tool_calls"');
  });

  it("emits other text byte for byte", () => {
    const plain = stream(3, "Nothing to call here, 1 < 2.");
    expect(run("chat", plain).text).toBe(plain);
  });

  it("keeps a part that is not text when the text next to it is removed", () => {
    const image = { type: "image_url", image_url: { url: "data:," } };
    const { text } = run("chat", `${chunk([...parts(LEAK), image])}${chunk([], "stop")}data: [DONE]\n\n`);
    expect(events(text).flatMap((event) => event.choices?.[0]?.delta?.content ?? [])).toContainEqual(image);
    expect(textOf(text)).toBe("");
  });
});
