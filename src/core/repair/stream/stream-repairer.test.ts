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
  return { tools: [{ name: "read" }], names: "known", context: () => [], parallel: true, letters, ...more };
}

function run(api: StreamApi, stream: string, more: Partial<RepairOptions> = {}) {
  const mender = createStreamRepairer(api, options(more));
  const steps = framesOf(stream).map((frame) => ({ frame, out: mender.push(frame) }));
  const last = mender.end();
  const text = Buffer.concat([...steps.flatMap(({ out }) => out), ...last]).toString();
  const decoder = WIRE[api].createStreamDecoder();
  for (const { data } of framesOf(text)) if (data !== undefined) decoder.push(data);
  return { mender, steps, text, decoded: decoder.end() };
}

const chunked = (characters: number, ...blocks: readonly (Block | string)[]): ModelTurn => ({
  ...respond(...blocks),
  chunking: { characters },
});
const STOP = { anthropic: "tool_use", chat: "tool_calls", responses: "completed" } as const;
/** Where the deltas are over. */
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

describe.each(STREAMS)("a stream of %s", (api) => {
  it.each([1, 4, 16, 1000])("is mended when cut into %i characters", (characters) => {
    const { decoded, mender } = run(api, encodeStream(api, chunked(characters, `I look. ${LEAK}`)));
    expect(decoded).toMatchObject({
      text: "I look.",
      finished: true,
      stopReason: STOP[api],
    });
    expect(decoded.calls).toEqual([{ id: expect.any(String), name: "read", arguments: '{"path": "a.txt"}' }]);
    expect(decoded.usage).toEqual(
      run(api, encodeStream(api, chunked(characters, `I look. ${LEAK}`)), { blocked: "observe" }).decoded.usage,
    );
    expect(mender.leaks).toMatchObject([{ result: "recovered", parsed: 1, format: "hermes-json" }]);
  });

  it("keeps the text before and behind the calls, and lets the text before go at once", () => {
    const { decoded, steps } = run(
      api,
      encodeStream(api, chunked(4, `Now I look.\n${LEAK}\nThen the other.\n${LEAK.replace("a.txt", "b")}\nI am done.`)),
    );
    expect(decoded.text).toBe("Now I look.\nThen the other.\nI am done.");
    expect(decoded.calls.map((made) => made.arguments)).toEqual(['{"path": "a.txt"}', '{"path": "b"}']);
    const early = steps.find(({ frame }) => frame.data?.includes("I lo"));
    expect(early?.out.length).toBeGreaterThan(0);
  });

  it.each([1, 7])("passes text about calls byte for byte, cut into %i characters", (characters) => {
    const text =
      'Use `<tool_call>` like this:\n\n```\n<tool_call>{"name": "read", "arguments": {}}</tool_call>\n```\n\n  1 < 2 and [x]\n';
    const stream = encodeStream(api, chunked(characters, think("Hm."), text, " more", call("read", { path: "x" })));
    const { text: out, steps } = run(api, stream);
    expect(out).toBe(stream);
    expect(steps.filter(({ out: left }) => left.length > 0).length).toBeGreaterThan(5);
  });

  it.each<[UnrepairedReason, ModelTurn, object?]>([
    ["native-call", chunked(4, LEAK, call("read", { path: "b" }))],
    ["length", { ...chunked(4, LEAK), stopReason: "length" }],
    [api === "anthropic" ? "refusal" : "content-filter", { ...chunked(4, LEAK), stopReason: "refusal" }],
    ["citations", chunked(4, { ...say(LEAK), citations: [{ url: "u" }] })],
  ])("is left byte for byte: %s", (reason, turn) => {
    const stream = encodeStream(api, turn);
    const { text, mender } = run(api, stream);
    expect(text).toBe(stream);
    expect(mender.leaks).toMatchObject([{ result: "left", reason }]);
  });

  it("is left when it breaks off or reports an error", () => {
    const stream = encodeStream(api, chunked(4, `Hi. ${LEAK}`));
    const cut = stream.slice(0, stream.indexOf(CLOSING[api]));
    const whole = cut.slice(0, cut.lastIndexOf("\n\n") + 2);
    const broken = run(api, whole);
    expect(broken.text).toBe(whole);
    expect(broken.mender.leaks).toMatchObject([{ result: "left", reason: "broken-off" }]);
    const error = ERROR[api];
    const failed = run(api, whole + error);
    expect(failed.text).toBe(whole + error);
    expect(failed.mender.leaks).toMatchObject([{ result: "left", reason: "error" }]);
  });

  it("is left when more would have to be held than may be", () => {
    const stream = encodeStream(api, chunked(4, `${LEAK}\n\n${"And so on. ".repeat(100)}`));
    const { text, mender } = run(api, stream, { maxHeld: 5000 });
    expect(text).toBe(stream);
    expect(mender.leaks).toMatchObject([{ result: "left", reason: "hold-cap" }]);
    const long = encodeStream(api, chunked(40, LEAK.replace("a.txt", "a".repeat(3000))));
    const capped = run(api, long, { maxCandidate: 1000 });
    expect(capped.text).toBe(long);
    expect(capped.mender.leaks).toMatchObject([{ result: "left", reason: "too-large" }]);
  });

  it("never calls what the model was given", () => {
    const stream = encodeStream(api, chunked(3, `Let me run it.\n${LEAK}`));
    const { text, mender } = run(api, stream, { context: () => [`A page.\n    ${LEAK.replaceAll("\n", "\n    ")}`] });
    expect(text).toBe(stream);
    expect(mender.leaks).toMatchObject([{ result: "left", reason: "echo" }]);
  });

  it("says something harmless while it holds", () => {
    const mender = createStreamRepairer(api, options());
    const frames = framesOf(encodeStream(api, chunked(4, `Hi. ${LEAK}`)));
    const out = frames.slice(0, 12).flatMap((frame) => mender.push(frame));
    expect(mender.holds).toBe(true);
    const ping = mender.keepAlive() as Uint8Array;
    const rest = [...frames.slice(12).flatMap((frame) => mender.push(frame)), ...mender.end()];
    const decoder = WIRE[api].createStreamDecoder();
    for (const { data } of framesOf(Buffer.concat([...out, ping, ...rest]))) decoder.push(data as string);
    expect(decoder.end()).toMatchObject({ text: "Hi.", calls: [{ name: "read" }] });
    expect(mender.keepAlive()).toBeUndefined();
  });

  it("goes on as a pipe when something in it fails", () => {
    const stream = encodeStream(api, chunked(4, `Hi. ${LEAK} there`));
    const { text } = run(api, stream, {
      context: () => {
        throw new Error("a defect");
      },
    });
    expect(text).toBe(stream);
  });
});

describe("blocks of Messages", () => {
  it("never show a text that was nothing but a call, and leave no gap in the numbers", () => {
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

it("is left, and not kept, when it never ends", () => {
  const stream = encodeStream("chat", chunked(1 << 20, `${LEAK}\n\n${"Word ".repeat(4 << 20)}`));
  const { text, mender } = run("chat", stream, { maxHeld: 1 << 30 });
  expect(text === stream).toBe(true);
  expect(mender.leaks).toMatchObject([{ reason: "hold-cap" }]);
});

it("is left where thinking must come first and did not", () => {
  const stream = encodeStream("anthropic", chunked(4, LEAK));
  const { text, mender } = run("anthropic", stream, { thinkingFirst: true });
  expect(text).toBe(stream);
  expect(mender.leaks).toMatchObject([{ reason: "thinking" }]);
  const thought = encodeStream("anthropic", chunked(4, think("Hm."), LEAK));
  expect(run("anthropic", thought, { thinkingFirst: true }).mender.calls).toHaveLength(1);
});

describe("items of Responses", () => {
  const item = (text: string, characters = 4) =>
    encodeStream("responses", chunked(characters, think("Hm."), text, "Then this."));

  it("say the same in all their events, numbered without a gap", () => {
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

  it("never show a message that was nothing but a call", () => {
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

  it("stay numbered when something harmless is said between them", () => {
    const mender = createStreamRepairer("responses", options());
    const frames = framesOf(item(`First. ${LEAK}`));
    const out: Uint8Array[] = [];
    for (const frame of frames) {
      out.push(...mender.push(frame));
      const sign = mender.keepAlive();
      if (sign !== undefined) out.push(sign);
    }
    const found = events(Buffer.concat(out).toString());
    expect(found.map(({ sequence_number }) => sequence_number)).toEqual(found.map((_, at) => at));
    expect(found.some(({ type }, at) => type === "response.in_progress" && at > 5)).toBe(true);
  });
});

describe("choices of Chat", () => {
  it("are mended each by itself", () => {
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

  it("with probabilities are left", () => {
    const stream = encodeStream("chat", chunked(4, LEAK), { logprobs: true });
    const { text, mender } = run("chat", stream);
    expect(text).toBe(stream);
    expect(mender.leaks).toMatchObject([{ reason: "logprobs" }]);
  });

  it("keep a last text that comes with the reason, and the usage beside it", () => {
    const chunk = (delta: object, finish: string | null, more: object = {}) =>
      `data: ${JSON.stringify({ id: "c", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\r\n\r\n`;
    const stream = `: hello\r\n\r\n${chunk({ role: "assistant", content: "Hm. <tool_" }, null)}${chunk({ content: `${LEAK.slice(6)} Done.` }, "stop", { usage: { prompt_tokens: 3 } })}data: [DONE]\r\n\r\n`;
    const { decoded, text } = run("chat", stream);
    expect(decoded).toMatchObject({ text: "Hm. Done.", stopReason: "tool_calls", usage: { input_tokens: 3 } });
    expect(decoded.calls).toHaveLength(1);
    expect(text.startsWith(": hello\r\n\r\n")).toBe(true);
  });
});

describe.each(STREAMS)("a broken native name in a stream of %s", (api) => {
  const turn = respond("I look.", call("functions.read", { path: "functions.read" }), call("read", { path: "b" }));
  const stream = encodeStream(api, turn);
  const putRight = stream.replaceAll('"name":"functions.read"', '"name":"read"');

  it("is all that changes, and nothing waits for it", () => {
    expect(stream).toContain('"name":"functions.read"');
    const { text, mender, steps } = run(api, stream);
    expect(text).toBe(putRight);
    expect(mender.leaks).toMatchObject([{ result: "recovered", format: "native-name", parsed: 1, names: ["read"] }]);
    expect(mender.calls).toEqual([]);
    const named = steps.find(({ frame }) => frame.data?.includes('"name":"functions.read"'));
    expect(Buffer.concat(named?.out as Uint8Array[]).toString()).toContain('"name":"read"');
  });

  it("stays when nothing may be changed", () => {
    expect(run(api, stream, { blocked: "observe" }).text).toBe(stream);
    expect(run(api, stream, { isAllowed: () => false }).text).toBe(stream);
  });

  it("is all that changes in a whole answer", () => {
    const body = encodeBody(api, turn);
    const mended = repairJsonResponse(api, body, options());
    expect(mended).toMatchObject({ kind: "mended", calls: [], leaks: [{ format: "native-name" }] });
    expect(mended.kind === "mended" && mended.text).toBe(body.replaceAll('"name":"functions.read"', '"name":"read"'));
  });
});

describe("thoughts in a stream of chunks", () => {
  it("leave at once, byte for byte, and the call follows before the end", () => {
    const stream = encodeStream("chat", chunked(4, think(`Hm. ${LEAK}`)));
    const { text, steps, decoded } = run("chat", stream);
    for (const { frame, out } of steps.filter(({ frame }) => frame.data?.includes("reasoning_content")))
      expect(Buffer.concat(out as Uint8Array[]).toString()).toBe(Buffer.from(frame.raw).toString());
    expect(decoded.calls).toMatchObject([{ name: "read", arguments: '{"path": "a.txt"}' }]);
    expect(decoded.stopReason).toBe("tool_calls");
    expect(text.indexOf('"tool_calls":[')).toBeLessThan(text.indexOf('"finish_reason":"tool_calls"'));
  });

  it("are no longer kept when they are too many", () => {
    const stream = encodeStream("chat", {
      ...respond(think(`${"a ".repeat(600_000)}${LEAK}`)),
      chunking: { characters: 65_536 },
    });
    expect(run("chat", stream).text).toBe(stream);
  });
});

describe("a stream of Chat chunks whose content is a list of parts", () => {
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

  it.each([1, 5, 1000])("is repaired when cut into %i characters", (characters) => {
    const { text, mender } = run("chat", stream(characters, `I look. ${LEAK} Done.`));
    expect(textOf(text)).toBe("I look. Done.");
    expect(mender.calls).toMatchObject([{ name: "read", arguments: '{"path": "a.txt"}' }]);
    expect(text).toContain('"finish_reason":"tool_calls"');
  });

  it("passes other text byte for byte", () => {
    const plain = stream(3, "Nothing to call here, 1 < 2.");
    expect(run("chat", plain).text).toBe(plain);
  });

  it("keeps a part that is no text when the text beside it goes", () => {
    const image = { type: "image_url", image_url: { url: "data:," } };
    const { text } = run("chat", `${chunk([...parts(LEAK), image])}${chunk([], "stop")}data: [DONE]\n\n`);
    expect(events(text).flatMap((event) => event.choices?.[0]?.delta?.content ?? [])).toContainEqual(image);
    expect(textOf(text)).toBe("");
  });
});
