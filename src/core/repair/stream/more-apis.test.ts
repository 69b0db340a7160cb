import { describe, expect, it } from "vitest";
import type { Framing } from "../../wire/framing.ts";
import { ByteRepairer, bytesOf } from "../byte-repairer.ts";
import { repairJsonResponse } from "../json-response.ts";
import { readRepairOptions } from "../read-request.ts";
import type { Api, LeakReport } from "../types.ts";
import { createStreamRepairer } from "./stream-repairer.ts";

const LEAK = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';
const PARAMETERS = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const REQUESTS = {
  gemini: {
    model: "gemini-2.5-pro",
    contents: [{ role: "user", parts: [{ text: "Read a.txt" }] }],
    tools: [{ functionDeclarations: [{ name: "read", parametersJsonSchema: PARAMETERS }] }],
  },
  ollama: {
    model: "qwen3",
    messages: [{ role: "user", content: "Read a.txt" }],
    tools: [{ type: "function", function: { name: "read", parameters: PARAMETERS } }],
  },
} as const;

interface Repaired {
  readonly text: string;
  readonly leaks: readonly LeakReport[];
}

function repairStream(
  api: "gemini" | "ollama",
  source: string,
  framing: Framing,
  { cut = source.length, request = REQUESTS[api] as object, mode = "known" as const } = {},
): Repaired {
  let id = 0;
  const randomAlphanumeric = (length: number): string => {
    id += 1;
    return String(id).padStart(length, "x");
  };
  const settings = { mode, calls: { mode: "on" as const } };
  const options = readRepairOptions(api, request, { settings, randomAlphanumeric });
  if (options === undefined) return { text: source, leaks: [] };
  const repairer = createStreamRepairer(api, options, framing);
  const stream = new ByteRepairer(repairer, framing);
  const bytes = Buffer.from(source);
  const out: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += cut) out.push(...bytesOf(stream.push(bytes.subarray(at, at + cut))));
  out.push(...bytesOf(stream.end()));
  return { text: Buffer.concat(out).toString("utf8"), leaks: repairer.leaks };
}

/** A Gemini stream of these parts, one chunk each, in either framing. */
function geminiStream(
  parts: readonly object[],
  framing: "events" | "array",
  finish: object = { finishReason: "STOP" },
): string {
  const chunk = (part: object, more: object = {}): object => ({
    candidates: [{ content: { parts: [part], role: "model" }, ...more, index: 0 }],
    usageMetadata: { promptTokenCount: 1 },
  });
  const chunks = [...parts.map((part) => chunk(part)), chunk({ text: "" }, finish)];
  if (framing === "events") return chunks.map((one) => `data: ${JSON.stringify(one)}\r\n\r\n`).join("");
  return `[${chunks.map((one) => JSON.stringify(one, null, 2)).join("\n,\r\n")}\n]\n`;
}

function ollamaStream(messages: readonly object[], end: object = { done_reason: "stop" }): string {
  const line = (message: object, more: object): string =>
    `${JSON.stringify({ model: "qwen3", message: { role: "assistant", ...message }, ...more })}\n`;
  return [...messages.map((one) => line(one, { done: false })), line({ content: "" }, { done: true, ...end })].join("");
}

const pieces = (text: string): readonly string[] => text.match(/[\s\S]{1,7}/g) ?? [];
const STREAMS = [
  [
    "gemini",
    "events",
    (text: string) =>
      geminiStream(
        pieces(text).map((one) => ({ text: one })),
        "events",
      ),
  ],
  [
    "gemini",
    "array",
    (text: string) =>
      geminiStream(
        pieces(text).map((one) => ({ text: one })),
        "array",
      ),
  ],
  ["ollama", "lines", (text: string) => ollamaStream(pieces(text).map((content) => ({ content })))],
] as const;

describe.each(STREAMS)("a stream of %s as %s", (api, framing, write) => {
  it("a stream is repaired to the same bytes wherever it is cut", () => {
    const source = write(`Let me look. é ${LEAK}`);
    const whole = repairStream(api, source, framing);
    expect(whole.text).toMatch(/"functionCall"|"tool_calls"/);
    expect(whole.text).not.toContain("tool_call>");
    expect(whole.leaks).toMatchObject([{ result: "recovered", parsed: 1 }]);
    for (const cut of [1, 2, 3, 5, 17, 100]) expect(repairStream(api, source, framing, { cut })).toEqual(whole);
  });

  it.each([
    ["a mention", `Use this: \`${LEAK}\` if you like.`],
    ["a tool that is not declared", LEAK.replace("read", "erase")],
    ["a call that is cut off", LEAK.slice(0, -20)],
    ["plain text", "Nothing to see here, <b>really</b>. é"],
  ])("a stream keeps its bytes with %s", (_title, text) => {
    const source = write(text);
    expect(repairStream(api, source, framing).text).toBe(source);
  });

  it("a stream keeps its bytes without its end", () => {
    const source = write(`Look: ${LEAK}`);
    // Inside the last object.
    const short = source.slice(0, -30);
    expect(repairStream(api, short, framing).text).toBe(short);
  });

  it("a call that the model was given in a result is not repeated", () => {
    const given = { path: "a.txt" };
    const history =
      api === "gemini"
        ? [
            ...REQUESTS.gemini.contents,
            { role: "model", parts: [{ functionCall: { name: "read", args: given } }] },
            { role: "user", parts: [{ functionResponse: { name: "read", response: { output: LEAK } } }] },
          ]
        : [
            ...REQUESTS.ollama.messages,
            { role: "assistant", content: "", tool_calls: [{ function: { name: "read", arguments: given } }] },
            { role: "tool", tool_name: "read", content: LEAK },
          ];
    const request = { ...REQUESTS[api], [api === "gemini" ? "contents" : "messages"]: history };
    const source = write(LEAK);
    const { text, leaks } = repairStream(api, source, framing, { request });
    expect(text).toBe(source);
    expect(leaks).toMatchObject([{ result: "left", reason: "echo" }]);
  });
});

describe("a Gemini stream", () => {
  it.each([
    ["a thought", [{ text: LEAK, thought: true }], {}],
    ["a native call beside the leak", [{ text: LEAK }, { functionCall: { name: "read", args: { path: "b" } } }], {}],
    ["its token limit", [{ text: LEAK }], { finishReason: "MAX_TOKENS" }],
    ["a safety stop", [{ text: LEAK }], { finishReason: "SAFETY" }],
    [
      "citations",
      [{ text: LEAK }],
      { finishReason: "STOP", citationMetadata: { citationSources: [{ startIndex: 1 }] } },
    ],
  ])("a Gemini stream keeps its bytes with %s", (_title, parts, finish) => {
    const source = geminiStream(parts, "events", { finishReason: "STOP", ...finish });
    expect(repairStream("gemini", source, "events").text).toBe(source);
  });

  it("a Gemini stream is not repaired if the request allows no calls, or only others", () => {
    const source = geminiStream([{ text: LEAK }], "events");
    const withMode = (functionCallingConfig: object): object => ({
      ...REQUESTS.gemini,
      toolConfig: { functionCallingConfig },
    });
    for (const config of [{ mode: "NONE" }, { mode: "ANY", allowedFunctionNames: ["write"] }])
      expect(repairStream("gemini", source, "events", { request: withMode(config) }).text).toBe(source);
    expect(
      repairStream("gemini", source, "events", { request: withMode({ mode: "ANY", allowedFunctionNames: ["read"] }) })
        .text,
    ).toContain("functionCall");
  });

  it("candidates of a Gemini stream are kept apart", () => {
    const chunk = (index: number, text: string, finish?: string): object => ({
      content: { parts: [{ text }], role: "model" },
      ...(finish !== undefined && { finishReason: finish }),
      index,
    });
    const chunks = [
      { candidates: [chunk(0, LEAK), chunk(1, "plain")] },
      { candidates: [chunk(1, " text", "STOP")] },
      { candidates: [chunk(0, "", "STOP")] },
    ];
    const source = chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("");
    const { text } = repairStream("gemini", source, "events");
    const read = text
      .trim()
      .split("\n\n")
      .flatMap((line) => JSON.parse(line.slice(6)).candidates);
    const of = (index: number) => read.filter((one) => one.index === index).flatMap(({ content }) => content.parts);
    expect(of(1)).toEqual([{ text: "plain" }, { text: " text" }]);
    expect(of(0)).toMatchObject([{ text: "" }, { functionCall: { name: "read" } }]);
  });

  it("a signature on a text that vanishes is kept", () => {
    const source = geminiStream([{ text: LEAK, thoughtSignature: "c2ln" }], "events");
    expect(repairStream("gemini", source, "events").text).toContain('{"text":"","thoughtSignature":"c2ln"}');
  });

  it("the name of a native call is corrected", () => {
    const source = geminiStream(
      [{ functionCall: { name: "functions.read", args: { path: "a" } }, thoughtSignature: "c2ln" }],
      "events",
    );
    const { text } = repairStream("gemini", source, "events");
    expect(text).toBe(source.replace("functions.read", "read"));
  });
});

it.each([
  [
    "gemini",
    {
      candidates: [
        { content: { parts: [{ text: `Look. ${LEAK}` }], role: "model" }, finishReason: "STOP", avgLogprobs: -0.25 },
      ],
    },
    /^\{"candidates":\[\{"content":\{"parts":\[\{"text":"Look\."\},\{"functionCall":\{"id":"[^"]+","name":"read","args":\{"path": "a.txt"\}\}\}\],"role":"model"\},"finishReason":"STOP","avgLogprobs":-0.25\}\]\}$/,
  ],
  [
    "ollama",
    {
      model: "m",
      message: { role: "assistant", content: LEAK },
      done: true,
      done_reason: "stop",
      eval_duration: 12345678901234,
    },
    /^\{"model":"m","message":\{"role":"assistant","content":"","tool_calls":\[\{"id":"[^"]+","function":\{"index":0,"name":"read","arguments":\{"path": "a.txt"\}\}\}\]\},"done":true,"done_reason":"stop","eval_duration":12345678901234\}$/,
  ],
] as const)("a JSON response of %s gets the call and keeps everything else", (api: Api, body, expected) => {
  const options = readRepairOptions(api, REQUESTS[api as "gemini"], {
    settings: { mode: "known" },
    randomAlphanumeric: (length) => "x".repeat(length),
  });
  const repaired = options && repairJsonResponse(api, JSON.stringify(body), options);
  expect(repaired?.kind === "repaired" ? repaired.text : "").toMatch(expected);
});
