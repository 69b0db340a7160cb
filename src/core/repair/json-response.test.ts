import { describe, expect, it } from "vitest";
import { readRepairOptions, repairJsonResponse } from "./index.ts";
import type { RepairOptions } from "./types.ts";

const LEAK = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';

let next = 0;
const randomAlphanumeric = (length: number): string => {
  next += 1;
  return String(next).padStart(length, "x");
};

function options(more: Partial<RepairOptions> = {}): RepairOptions {
  return {
    tools: [{ name: "read" }],
    names: "known",
    context: () => [],
    parallel: true,
    randomAlphanumeric: randomAlphanumeric,
    ...more,
  };
}

const messages = (content: unknown[], stop = "end_turn"): string =>
  `{ "id":"msg_1", "big": 12345678901234567890, "one":1.0,"content": ${JSON.stringify(content)},"stop_reason" : "${stop}","usage":{"output_tokens":7}}`;
const chat = (message: object, more: object = {}, finish = "stop"): string =>
  `{"id":"c","created":1.0,"choices":[{"index":0,"message":${JSON.stringify({ role: "assistant", ...message })},"finish_reason":"${finish}"${Object.entries(
    more,
  )
    .map(([key, value]) => `,${JSON.stringify(key)}:${JSON.stringify(value)}`)
    .join("")}}],"usage":{"total_tokens":12345678901234567890}}`;
const response = (output: unknown[], more: object = {}): string =>
  JSON.stringify({ id: "resp_1", status: "completed", output, store: false, ...more });

function repair(api: Parameters<typeof repairJsonResponse>[0], source: string, more: Partial<RepairOptions> = {}) {
  const result = repairJsonResponse(api, source, options(more));
  if (result.kind !== "repaired") throw new Error(`${result.kind} ${JSON.stringify(result)}`);
  return { ...result, body: JSON.parse(result.text) };
}

function reasonOf(api: Parameters<typeof repairJsonResponse>[0], source: string, more: Partial<RepairOptions> = {}) {
  const result = repairJsonResponse(api, source, options(more));
  return result.kind === "left" ? result.leaks.map(({ reason }) => reason) : result.kind;
}

describe("repairJsonResponse of Messages", () => {
  it("appends the call after its text and preserves everything else byte for byte", () => {
    const { text, body, leaks } = repair("anthropic", messages([{ type: "text", text: `I look.\n\n${LEAK}` }]));
    expect(body.content).toEqual([
      { type: "text", text: "I look." },
      { type: "tool_use", id: expect.stringMatching(/^toolu_01/), name: "read", input: { path: "a.txt" } },
    ]);
    expect(body.stop_reason).toBe("tool_use");
    expect(text.startsWith('{ "id":"msg_1", "big": 12345678901234567890, "one":1.0,"content": [')).toBe(true);
    expect(text.endsWith(',"stop_reason" : "tool_use","usage":{"output_tokens":7}}')).toBe(true);
    expect(leaks).toMatchObject([{ result: "recovered", format: "hermes-json", parsed: 1, names: ["read"] }]);
  });

  it("removes a block that contained only the call", () => {
    const { body } = repair(
      "anthropic",
      messages([
        { type: "thinking", thinking: "hm", signature: "s" },
        { type: "text", text: `\n${LEAK}\n` },
      ]),
    );
    expect(body.content.map(({ type }: { type: string }) => type)).toEqual(["thinking", "tool_use"]);
  });

  it("does not repair a leak next to a native call, with citations, or in a truncated response", () => {
    const text = { type: "text", text: LEAK };
    expect(reasonOf("anthropic", messages([text, { type: "tool_use", id: "t", name: "read", input: {} }]))).toEqual([
      "native-call",
    ]);
    expect(reasonOf("anthropic", messages([{ ...text, citations: [{}] }]))).toEqual(["citations"]);
    expect(reasonOf("anthropic", messages([text], "max_tokens"))).toEqual(["max-tokens"]);
    expect(reasonOf("anthropic", messages([text], "refusal"))).toEqual(["refusal"]);
    expect(reasonOf("anthropic", messages([text]), { thinkingFirst: true })).toEqual(["thinking"]);
  });
});

describe("repairJsonResponse of Chat Completions", () => {
  it("adds tool_calls and sets an empty content to null", () => {
    const { text, body } = repair("chat", chat({ content: LEAK, refusal: null }));
    expect(body.choices[0]).toMatchObject({
      finish_reason: "tool_calls",
      message: {
        content: null,
        tool_calls: [{ type: "function", function: { name: "read", arguments: '{"path": "a.txt"}' } }],
      },
    });
    expect(text).toContain('"created":1.0');
    expect(text).toContain('"total_tokens":12345678901234567890');
  });

  it("preserves the text around the call and fills an empty tool_calls list", () => {
    const { body } = repair("chat", chat({ content: `Before. ${LEAK} After.`, tool_calls: [] }));
    expect(body.choices[0].message.content).toBe("Before. After.");
    expect(body.choices[0].message.tool_calls).toHaveLength(1);
  });

  it("preserves numbers in arguments as the model wrote them", () => {
    const leak = '<tool_call>{"name": "read", "arguments": {"id": 12345678901234567890, "x": 1.0}}</tool_call>';
    const { body } = repair("chat", chat({ content: leak }));
    expect(body.choices[0].message.tool_calls[0].function.arguments).toContain("12345678901234567890");
  });

  it("repairs a content that is a list of parts", () => {
    const text = (written: string) => ({ type: "text", text: written });
    const image = { type: "image_url", image_url: { url: "data:," } };
    const { body, calls } = repair("chat", chat({ content: [text("I look. "), image, text(LEAK)] }));
    expect(calls).toMatchObject([{ name: "read", arguments: '{"path": "a.txt"}' }]);
    expect(body.choices[0].message.content).toEqual([text("I look."), image]);
    expect(body.choices[0].finish_reason).toBe("tool_calls");
  });

  it("reads text parts as one text, and sets the content to null if nothing remains", () => {
    const halves = [LEAK.slice(0, 20), LEAK.slice(20)].map((half) => ({ type: "text", text: half }));
    const { body, calls } = repair("chat", chat({ content: halves }));
    expect(calls).toMatchObject([{ name: "read", arguments: '{"path": "a.txt"}' }]);
    expect(body.choices[0].message.content).toBeNull();
  });

  it("leaves a list of parts without a leak unchanged", () => {
    expect(reasonOf("chat", chat({ content: [{ type: "text", text: "hello" }] }))).toBe("unchanged");
  });

  it("makes only the first call if parallel calls are disabled", () => {
    const { calls, leaks, body } = repair("chat", chat({ content: `${LEAK}\n${LEAK.replace("a.txt", "b.txt")}` }), {
      parallel: false,
    });
    expect(calls).toHaveLength(1);
    expect(leaks).toMatchObject([{ parsed: 2, dropped: 1 }]);
    expect(body.choices[0].message.content).toBeNull();
  });

  it("uses the model's id if the API accepts it, and 9-character ids for Mistral", () => {
    const kimi =
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"path":"a"}<|tool_call_end|><|tool_calls_section_end|>';
    expect(repair("chat", chat({ content: kimi })).calls[0]?.id).toBe("functions.read:0");
    expect(
      repair("chat", chat({ content: kimi }), { usedIds: () => new Set(["functions.read:0"]) }).calls[0]?.id,
    ).toMatch(/^call_/);
    expect(repair("anthropic", messages([{ type: "text", text: kimi }])).calls[0]?.id).toMatch(/^toolu_/);
    expect(repair("chat", chat({ content: LEAK }), { shortIds: () => true }).calls[0]?.id).toMatch(/^[a-z0-9]{9}$/);
  });

  it("reports the reason for each unrepaired leak", () => {
    expect(reasonOf("chat", chat({ content: LEAK }, { logprobs: { content: [{ token: "<" }] } }))).toEqual([
      "logprobs",
    ]);
    expect(reasonOf("chat", chat({ content: LEAK }, {}, "length"))).toEqual(["max-tokens"]);
    expect(reasonOf("chat", chat({ content: LEAK }, {}, "content_filter"))).toEqual(["content-filter"]);
    expect(reasonOf("chat", chat({ content: LEAK, tool_calls: [{ id: "a" }] }))).toEqual(["native-call"]);
    expect(reasonOf("chat", chat({ content: LEAK.replace("read", "write") }))).toEqual(["unknown-name"]);
    expect(reasonOf("chat", chat({ content: LEAK }), { isAllowed: () => false })).toEqual(["denied"]);
    expect(reasonOf("chat", chat({ content: LEAK }), { context: () => undefined })).toEqual(["context-too-large"]);
    expect(reasonOf("chat", chat({ content: LEAK }), { context: () => [`the page says ${LEAK}`] })).toEqual(["echo"]);
    expect(reasonOf("chat", chat({ content: LEAK }), { blocked: "observe" })).toEqual(["observe"]);
    expect(reasonOf("chat", chat({ content: "hello" }))).toBe("unchanged");
  });

  it("repairs undeclared names in mode any, unless the provider runs them or the API would reject them", () => {
    const any = { names: "any" } as const;
    expect(repair("chat", chat({ content: LEAK.replace("read", "write") }), any).calls[0]?.name).toBe("write");
    expect(
      reasonOf("chat", chat({ content: LEAK.replace("read", "web") }), { ...any, serverTools: new Set(["web"]) }),
    ).toEqual(["server-tool"]);
    expect(reasonOf("chat", chat({ content: LEAK.replace("read", "farm.feed") }), any)).toEqual(["invalid-name"]);
  });

  it("does not repair JSON without an envelope if the client requested JSON", () => {
    const content = '{"name": "read", "arguments": {"path": "a.txt"}}';
    expect(repairJsonResponse("chat", chat({ content }), options()).kind).toBe("repaired");
    expect(repairJsonResponse("chat", chat({ content }), options({ structured: true })).kind).toBe("unchanged");
  });
});

describe("repairJsonResponse of Responses", () => {
  const part = (text: string) => ({ type: "output_text", text, annotations: [], logprobs: [] });
  const message = (text: string) => ({ id: "msg_1", type: "message", role: "assistant", content: [part(text)] });

  it("appends function_call items after the others", () => {
    const { body } = repair("responses", response([{ id: "rs_1", type: "reasoning" }, message(`Hm. ${LEAK}`)]));
    expect(body.output).toMatchObject([
      { type: "reasoning" },
      { id: "msg_1", content: [{ text: "Hm." }] },
      {
        type: "function_call",
        id: expect.stringMatching(/^fc_/),
        call_id: expect.stringMatching(/^call_/),
        name: "read",
      },
    ]);
  });

  it("removes a message that contained only the call, and handles custom and namespaced tools", () => {
    const tools = [{ name: "read", custom: true as const, wireName: "r", namespace: "fs" }];
    const { body } = repair("responses", response([message(LEAK)]), { tools });
    expect(body.output).toMatchObject([{ type: "custom_tool_call", name: "r", namespace: "fs", input: "a.txt" }]);
  });
});

describe("readRepairOptions", () => {
  const settings = { mode: "known" } as const;
  const read = (
    api: Parameters<typeof repairJsonResponse>[0],
    body: object,
    mode: "known" | "any" | "off" | "observe" = "known",
  ) => readRepairOptions(api, body, { settings: { ...settings, mode }, randomAlphanumeric: randomAlphanumeric });
  const tool = { type: "function", function: { name: "read", parameters: {} } };

  it("returns undefined without client tools, if tools are forbidden, or if repair is off", () => {
    expect(read("chat", { messages: [] })).toBeUndefined();
    expect(read("chat", { messages: [], tools: [tool], tool_choice: "none" })).toBeUndefined();
    expect(read("anthropic", { messages: [], tools: [{ name: "r" }], tool_choice: { type: "none" } })).toBeUndefined();
    expect(
      read("anthropic", { messages: [], tools: [{ type: "web_search_20250305", name: "web_search" }] }),
    ).toBeUndefined();
    expect(read("chat", { messages: [], tools: [tool] }, "off")).toBeUndefined();
  });

  it("returns the texts the model was given, not those it wrote", () => {
    const found = read("anthropic", {
      system: [{ type: "text", text: "You are a shepherd." }],
      tools: [{ name: "read", input_schema: {} }],
      messages: [
        { role: "user", content: "Count the sheep, please." },
        { role: "assistant", content: "I count the sheep now." },
        {
          role: "user",
          content: [{ type: "tool_result", content: [{ type: "text", text: "There are eleven sheep." }] }],
        },
      ],
    });
    expect(found?.context()).toEqual([
      { role: "system", text: "You are a shepherd." },
      { role: "user", text: "Count the sheep, please." },
      { role: "tool", text: "There are eleven sheep." },
    ]);
  });

  it("detects single calls, JSON responses and Mistral ids from the request", () => {
    const body = {
      messages: [],
      tools: [tool],
      model: "devstral-small",
      parallel_tool_calls: false,
      response_format: { type: "json_object" },
    };
    expect(read("chat", body)).toMatchObject({ parallel: false, structured: true });
    expect(read("chat", body)?.shortIds?.()).toBe(true);
    expect(read("chat", { messages: [], tools: [tool], model: "other" })?.shortIds?.()).toBe(false);
    expect(
      read("anthropic", {
        messages: [],
        tools: [{ name: "r" }],
        tool_choice: { type: "auto", disable_parallel_tool_use: true },
      }),
    ).toMatchObject({ parallel: false });
  });

  it.each([
    ["chat", { messages: [], tools: [tool] }, { type: "function", function: { name: "NAME" } }],
    ["anthropic", { messages: [], tools: [{ name: "read" }] }, { type: "tool", name: "NAME" }],
    [
      "responses",
      { input: "", store: false, tools: [{ type: "function", name: "read" }] },
      { type: "function", name: "NAME" },
    ],
    [
      "responses",
      { input: "", store: false, tools: [{ type: "function", name: "read" }] },
      { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "NAME" }] },
    ],
  ] as const)("repairs only the tool that tool_choice names: %s", (api, body, choice) => {
    const chosen = (name: string) => JSON.parse(JSON.stringify(choice).replace("NAME", name));
    const source = {
      chat: chat({ content: LEAK }),
      anthropic: messages([{ type: "text", text: LEAK }]),
      responses: response([{ type: "message", content: [{ type: "output_text", text: LEAK }] }]),
    }[api];
    const other = repairJsonResponse(
      api,
      source,
      read(api, { ...body, tool_choice: chosen("write") }) as RepairOptions,
    );
    expect(other).toMatchObject({ kind: "left", leaks: [{ reason: "tool-choice", names: ["read"] }] });
    const same = repairJsonResponse(api, source, read(api, { ...body, tool_choice: chosen("read") }) as RepairOptions);
    expect(same).toMatchObject({ kind: "repaired", calls: [{ name: "read" }] });
  });

  it("accepts a namespaced tool in tool_choice by its own name or the qualified name", () => {
    const options = (name: string) =>
      read("responses", {
        input: "",
        store: false,
        tools: [{ type: "namespace", name: "fs", tools: [{ type: "function", name: "read" }] }],
        tool_choice: { type: "function", name },
      }) as RepairOptions;
    const leak = LEAK.replace('"read"', '"fs.read"');
    const body = response([{ type: "message", content: [{ type: "output_text", text: leak }] }]);
    expect(repairJsonResponse("responses", body, options("read")).kind).toBe("repaired");
    expect(repairJsonResponse("responses", body, options("fs.read")).kind).toBe("repaired");
    expect(repairJsonResponse("responses", body, options("list")).kind).toBe("left");
  });

  it("blocks repair of stored conversations", () => {
    const body = { input: "hi", tools: [{ type: "function", name: "read" }] };
    expect(read("responses", body)?.blocked).toBe("server-state");
    expect(read("responses", { ...body, store: false })?.blocked).toBeUndefined();
    expect(read("responses", { ...body, store: false, previous_response_id: "r" })?.blocked).toBe("server-state");
    expect(read("responses", { ...body, store: false, background: true })?.blocked).toBe("server-state");
  });
});
