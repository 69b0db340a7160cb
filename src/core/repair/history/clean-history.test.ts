import { describe, expect, it } from "vitest";
import { APIS, type CleanableApi as Api, CLEANABLE_APIS } from "../../wire/turn.ts";
import { cleanHistory } from "./clean-history.ts";

const LEAK = '<tool_call>\n{"name": "read", "arguments": {"path": "a.txt"}}\n</tool_call>';
const TOOLS = {
  anthropic: [{ name: "read", input_schema: {} }],
  chat: [{ type: "function", function: { name: "read" } }],
  responses: [{ type: "function", name: "read" }],
  ollama: [{ type: "function", function: { name: "read" } }],
} as const;
const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown, more: object = {}) => ({ role: "assistant", content, ...more });

function bodyOf(api: Api, list: readonly unknown[], more: object = {}): string {
  return JSON.stringify({ model: "m", tools: TOOLS[api], [api === "responses" ? "input" : "messages"]: list, ...more });
}

function cleaned(api: Api, list: readonly unknown[], more: object = {}): readonly unknown[] | undefined {
  const result = cleanHistory(api, bodyOf(api, list, more));
  return result && JSON.parse(result.text)[api === "responses" ? "input" : "messages"];
}

it("every API except Gemini is cleanable", () => {
  expect(CLEANABLE_APIS).toEqual(APIS.filter((api) => api !== "gemini"));
});

describe.each(CLEANABLE_APIS)("cleanHistory of a request to %s", (api) => {
  it("removes a leak from its message, and the message if nothing remains", () => {
    const list = [user("Hi"), assistant(`I look. ${LEAK}`), user("Well?"), assistant(LEAK), user("So?")];
    expect(cleaned(api, list)).toEqual([user("Hi"), assistant("I look."), user("Well?"), user("So?")]);
    expect(cleanHistory(api, bodyOf(api, list))?.calls).toBe(2);
  });

  it("preserves numbers, keys and whitespace between messages", () => {
    const [tools, field] = [JSON.stringify(TOOLS[api]), api === "responses" ? "input" : "messages"];
    const leaky = JSON.stringify(`I look. ${LEAK}`);
    const source = (text: string) =>
      `{ "tools":${tools}, "n": 1.0,\n "${field}" : [ {"role":"user","content":"Hi", "id": 12345678901234567890} ,\n  {"content":${text}, "role":"assistant"},\n {"role":"user","content":"So?"} ], "z":{} }`;
    expect(cleanHistory(api, source(leaky))?.text).toBe(source('"I look."'));
  });

  it("leaves an echo of an earlier text unchanged", () => {
    expect(cleaned(api, [user(`What does ${LEAK} do?`), assistant(`This: ${LEAK}`), user("I see.")])).toBeUndefined();
  });

  it("ignores later quotations, so that the start of a conversation never changes", () => {
    const list = [user("Hi"), assistant(`I look. ${LEAK}`), user(`You wrote ${LEAK}`)];
    expect(cleaned(api, list)?.[1]).toEqual(assistant("I look."));
  });

  it.each([
    ["there are no tools", { tools: [] }, LEAK],
    ["the tool is not declared", {}, LEAK.replace("read", "write")],
    ["the leak is in a code block", {}, `So one calls:\n\`\`\`\n${LEAK}\n\`\`\`\nThat is all.`],
    ["there is no leak", {}, "Hello."],
  ])("changes nothing if %s", (_why, more, text) => {
    expect(cleaned(api, [user("Hi"), assistant(text), user("So?")], more)).toBeUndefined();
  });

  it("leaves the last message unchanged, because the model continues it", () => {
    expect(cleaned(api, [user("Hi"), assistant(LEAK)])).toBeUndefined();
  });

  it("produces the same leading bytes in every request of a conversation with 20 turns", () => {
    const list: unknown[] = [user("Begin.")];
    let before = "";
    for (let turn = 0; turn < 20; turn += 1) {
      const source = bodyOf(api, list);
      const sent = cleanHistory(api, source)?.text ?? source;
      // Without the end of the list and of the body.
      const beginning = sent.slice(0, sent.lastIndexOf("]"));
      expect(beginning.startsWith(before)).toBe(true);
      expect(beginning.length).toBeGreaterThan(before.length);
      before = beginning;
      const leak = LEAK.replace("a.txt", `${turn}.txt`);
      list.push(assistant([`Turn ${turn}. ${leak}`, leak, `Turn ${turn}.`][turn % 3]), user(`Go on, ${turn}: ${leak}`));
    }
  });
});

it("cleanHistory examines at most 400 texts with leaks, from the front", () => {
  const turns = Array.from({ length: 450 }, (_, at) => [
    user(`Page ${at}`),
    assistant(`Turn ${at}. ${LEAK.replace("a.txt", `${at}.txt`)}`),
  ]);
  const list = cleaned("chat", [...turns.flat(), user("So?")]) as readonly { content: string }[];
  expect(list[799]?.content).toBe("Turn 399.");
  expect(list[801]?.content).toContain("<tool_call>");
});

describe("cleanHistory of a leak whose result follows", () => {
  it("replaces the leak by a tool_use block in Messages", () => {
    const results = user([
      { type: "tool_result", tool_use_id: "toolu_1", content: "hello" },
      { type: "text", text: "Go on." },
    ]);
    expect(cleaned("anthropic", [user("Hi"), assistant(`I look. ${LEAK}`), results])).toEqual([
      user("Hi"),
      assistant([
        { type: "text", text: "I look." },
        { type: "tool_use", id: "toolu_1", name: "read", input: { path: "a.txt" } },
      ]),
      results,
    ]);
  });

  it("appends the call to existing calls in Chat", () => {
    const made = { id: "call_0", type: "function", function: { name: "read", arguments: "{}" } };
    const results = ["call_0", "call_1"].map((tool_call_id) => ({ role: "tool", tool_call_id, content: "hello" }));
    const call = { id: "call_1", type: "function", function: { name: "read", arguments: '{"path": "a.txt"}' } };
    expect(cleaned("chat", [user("Hi"), assistant(LEAK, { tool_calls: [made] }), ...results])).toEqual([
      user("Hi"),
      assistant(null, { tool_calls: [made, call] }),
      ...results,
    ]);
  });

  it("adds a function_call item in Responses", () => {
    const output = { type: "function_call_output", call_id: "call_1", output: "hello" };
    expect(cleaned("responses", [user("Hi"), assistant(LEAK), output])).toEqual([
      user("Hi"),
      { type: "function_call", call_id: "call_1", name: "read", arguments: '{"path": "a.txt"}' },
      output,
    ]);
  });

  it("removes the leak without a call if that would require thinking, or the tool takes free text", () => {
    const results = user([{ type: "tool_result", tool_use_id: "toolu_1", content: "hello" }]);
    const thinking = { thinking: { type: "enabled", budget_tokens: 1024 } };
    expect(cleaned("anthropic", [user("Hi"), assistant(`A ${LEAK}`), results], thinking)).toEqual([
      user("Hi"),
      assistant("A"),
      results,
    ]);
    const output = { type: "function_call_output", call_id: "call_1", output: "hello" };
    const tools = [{ type: "custom", name: "read" }];
    expect(cleaned("responses", [user("Hi"), assistant(`A ${LEAK}`), output], { tools })).toEqual([
      user("Hi"),
      assistant("A"),
      output,
    ]);
  });

  it("removes the leaks without calls if the number of results differs from the number of calls", () => {
    const output = { type: "function_call_output", call_id: "call_1", output: "hello" };
    expect(
      cleaned("responses", [user("Hi"), assistant(`A ${LEAK} ${LEAK.replace("a.txt", "b.txt")}`), output]),
    ).toEqual([user("Hi"), assistant("A"), output]);
  });
});

describe("cleanHistory of a message with a cache marker", () => {
  const mark = { cache_control: { type: "ephemeral" } };

  it("moves the marker to the previous block", () => {
    const blocks = [
      { type: "text", text: "One." },
      { type: "text", text: LEAK, ...mark },
    ];
    expect(cleaned("anthropic", [user("Hi"), assistant(blocks), user("So?")])).toEqual([
      user("Hi"),
      assistant([{ type: "text", text: "One.", ...mark }]),
      user("So?"),
    ]);
  });

  it.each([
    ["a string content", "Hi", [{ type: "text", text: "Hi", ...mark }]],
    ["blocks", [{ type: "text", text: "Hi" }], [{ type: "text", text: "Hi", ...mark }]],
    ["a block with its own marker", [{ type: "text", text: "Hi", ...mark }], [{ type: "text", text: "Hi", ...mark }]],
  ])("moves the marker to the previous message if no block remains: %s", (_what, content, marked) => {
    const list = [user(content), assistant([{ type: "text", text: LEAK, ...mark }]), user("So?")];
    expect(cleaned("anthropic", list)).toEqual([user(marked), user("So?")]);
  });
});

describe("cleanHistory of a turn with reasoning that continues", () => {
  it("leaves a Messages turn unchanged while results follow", () => {
    const blocks = [
      { type: "thinking", thinking: "Hm.", signature: "s" },
      { type: "text", text: LEAK },
      { type: "tool_use", id: "toolu_1", name: "read", input: {} },
    ];
    const results = user([{ type: "tool_result", tool_use_id: "toolu_1", content: "x" }]);
    expect(cleaned("anthropic", [user("Hi"), assistant(blocks), results])).toBeUndefined();
    expect(cleaned("anthropic", [user("Hi"), assistant(blocks.slice(0, 2)), user("So?")])).toEqual([
      user("Hi"),
      assistant(blocks.slice(0, 1)),
      user("So?"),
    ]);
  });

  it("leaves a Responses message unchanged after a reasoning item", () => {
    const reasoning = { type: "reasoning", id: "rs_1", summary: [] };
    expect(cleaned("responses", [user("Hi"), reasoning, assistant(LEAK), user("So?")])).toBeUndefined();
  });
});

describe("cleanHistory of a request to ollama, whose results have no id", () => {
  const native = { function: { name: "read", arguments: { path: "b.txt" } } };
  const tool = { role: "tool", tool_name: "read", content: "text" };

  it("keeps the calls of a message whose text was only a leak", () => {
    expect(cleaned("ollama", [user("Hi"), assistant(LEAK, { tool_calls: [native] }), user("So?")])?.[1]).toEqual(
      assistant("", { tool_calls: [native] }),
    );
  });

  it("leaves a message before results unchanged, so that each stays with its call", () => {
    const list = [user("Hi"), assistant(`I look. ${LEAK}`, { tool_calls: [native] }), tool, user("So?")];
    expect(cleaned("ollama", list)).toBeUndefined();
  });
});

it("histories of Gemini are not cleaned", () => {
  const contents = [
    { role: "user", parts: [{ text: "Hi" }] },
    { role: "model", parts: [{ text: LEAK }] },
    { role: "user", parts: [{ text: "So?" }] },
  ];
  const tools = [{ functionDeclarations: [{ name: "read" }] }];
  expect(cleanHistory("gemini", JSON.stringify({ contents, tools }))).toBeUndefined();
});
