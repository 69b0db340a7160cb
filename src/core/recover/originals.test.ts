import { describe, expect, it } from "vitest";
import { extractToolCalls, type RecoverOptions, tryExtractLeakedToolCalls } from "./index.ts";

const calls = (text: string, options: RecoverOptions = {}): unknown =>
  extractToolCalls(text, options).toolCalls.map((call) => [call.name, call.arguments]);
const hermes = (body: string): string => `<tool_call>${body}</tool_call>`;

describe("regressions of the original extractor (docs/decisions/recover-originals.md)", () => {
  it("parses arguments that are a JSON string (N1)", () => {
    expect(calls(hermes('{"name": "f", "arguments": "{\\"a\\": [1]}"}'))).toEqual([["f", { a: [1] }]]);
  });

  it("accepts args and input as argument keys (N2)", () => {
    expect(calls(`${hermes('{"name": "f", "args": {"a": 1}}')}${hermes('{"tool": "g", "input": {"b": 2}}')}`)).toEqual([
      ["f", { a: 1 }],
      ["g", { b: 2 }],
    ]);
  });

  it("extracts OpenAI's nesting and a tool_calls list inside a tag (N3)", () => {
    expect(calls(hermes('{"type": "function", "function": {"name": "f", "arguments": "{}"}}'))).toEqual([["f", {}]]);
    expect(
      calls(hermes('{"tool_calls": [{"function": {"name": "f", "arguments": {"a": 1}}}, {"name": "g"}]}')),
    ).toEqual([
      ["f", { a: 1 }],
      ["g", {}],
    ]);
  });

  it("extracts both calls of a wrapper in order (N4)", () => {
    const text = `<tool_calls>\n${hermes('{"name": "f"}')}\n${hermes('{"name": "g"}')}\n</tool_calls>`;
    expect(extractToolCalls(text)).toMatchObject({ content: "", toolCalls: [{ name: "f" }, { name: "g" }] });
  });

  it("does not end a block at a closing tag inside a string (N5)", () => {
    const got = extractToolCalls(`${hermes('{"name": "f", "arguments": {"a": "see </tool_call> there"}}')} tail`);
    expect(got.toolCalls[0]?.arguments).toEqual({ a: "see </tool_call> there" });
    expect(got.content.trim()).toBe("tail");
  });

  it.each([
    `Like so:\n\`\`\`\n${hermes('{"name": "rm", "arguments": {"path": "/"}}')}\n\`\`\`\nThat was it.`,
    `Write \`${hermes('{"name": "rm", "arguments": {"path": "/"}}')}\` and see.`,
    `Like so:\n~~~xml\n${hermes('{"name": "rm"}')}\n~~~\n`,
  ])("treats a tag in a fence or inline code as text: %j (N6)", (text) => {
    expect(extractToolCalls(text)).toMatchObject({ content: text, toolCalls: [] });
    expect(tryExtractLeakedToolCalls(text)).toEqual({ content: text, toolCalls: [] });
  });

  it.each([
    "I use <tools>hammer and nails</tools> daily.",
    "Call <function>print()</function> once.",
    "Wrap it in <tool_call> and </tool_call>.",
  ])("never removes prose that only looks like a tag: %s (N7)", (text) => {
    expect(extractToolCalls(text).content).toBe(text);
    expect(extractToolCalls(`${text}\n${hermes('{"name": "f"}')}`)).toMatchObject({
      content: text,
      toolCalls: [{ name: "f" }],
    });
  });

  it("extracts an unclosed tag at the end and a tag with attributes (N8)", () => {
    expect(calls('<tool_call>{"name": "f", "arguments": {"a": 1}}')).toEqual([["f", { a: 1 }]]);
    expect(calls('<tool_call id="1">{"name": "f"}</tool_call>')).toEqual([["f", {}]]);
  });

  it("extracts the Qwen3-Coder, GLM and Claude styles (N9)", () => {
    expect(calls("<function=read><parameter=path>a.txt</parameter></function>")).toEqual([["read", { path: "a.txt" }]]);
    expect(calls("<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n</tool_call>")).toEqual([
      ["read", { path: "a.txt" }],
    ]);
    expect(
      calls('<function_calls><invoke name="read"><parameter name="path">a.txt</parameter></invoke></function_calls>'),
    ).toEqual([["read", { path: "a.txt" }]]);
  });

  it("never changes valid JSON, and lists every repair (N10)", () => {
    const sql = extractToolCalls(hermes('{"name": "f", "arguments": {"q": "SELECT x20, x41"}}')).toolCalls[0];
    expect(sql).toMatchObject({ arguments: { q: "SELECT x20, x41" }, repairs: [] });
    const path = extractToolCalls(hermes('{"name": "f", "arguments": {"p": "C:\\x64\\bin"}}')).toolCalls[0];
    expect(path).toMatchObject({ arguments: { p: "C:\\x64\\bin" }, repairs: ["invalid-escape"] });
    const pattern = extractToolCalls(hermes('{"name": "f", "arguments": {"p": "\\d+", "u": "C:\\Users"}}'))
      .toolCalls[0];
    expect(pattern).toMatchObject({ arguments: { p: "\\d+", u: "C:\\Users" }, repairs: ["invalid-escape"] });
  });

  it("keeps the order of calls across tags (N11)", () => {
    const text = `<function>{"name": "a"}</function><tools>{"name": "b"}</tools>${hermes('{"name": "c"}')}<tool_calls>[{"name": "d"}]</tool_calls>`;
    expect(extractToolCalls(text).toolCalls.map((call) => call.name)).toEqual(["a", "b", "c", "d"]);
  });

  it("accepts dotted, prefixed and non-Latin names, and lists name cleanup (N12)", () => {
    const name = (raw: string): unknown => {
      const call = extractToolCalls(hermes(JSON.stringify({ name: raw })), { tools: [{ name: "get_weather" }] })
        .toolCalls[0];
      return [call?.name, call?.repairs];
    };
    expect(name("fs.read")).toEqual(["fs.read", []]);
    expect(name("functions.get_weather:0")).toEqual(["get_weather", ["cleaned-name"]]);
    expect(name("<|constrain|>get_weather")).toEqual(["get_weather", ["cleaned-name"]]);
    expect(name("查天气")).toEqual(["查天气", []]);
  });

  it("computes correct spans after characters whose lower case is longer (N14)", () => {
    expect(extractToolCalls(`İİİ ${hermes('{"name": "f"}')} tail`).content).toBe("İİİ tail");
  });

  it("keeps an invoke without parameters (N15)", () => {
    expect(calls('<invoke name="ping"></invoke>')).toEqual([["ping", {}]]);
    expect(calls('<invoke name="ping"/>')).toEqual([["ping", {}]]);
  });

  it("does not drop a call to an undeclared tool (N16)", () => {
    expect(extractToolCalls(hermes('{"name": "nobody"}'), { tools: [{ name: "f" }] }).toolCalls).toMatchObject([
      { name: "nobody", known: false },
    ]);
  });

  it("converts values in markup by the schema (N17)", () => {
    const parameters = {
      type: "object",
      properties: {
        n: { type: "number" },
        s: { type: "string" },
        e: { type: "string" },
        b: { type: "boolean" },
        l: { anyOf: [{ type: "array" }, { type: "null" }] },
      },
    };
    const text =
      "<function=f><parameter=n>3</parameter><parameter=s>true</parameter><parameter=e></parameter><parameter=b>True</parameter><parameter=l>[1]</parameter></function>";
    expect(calls(text, { tools: [{ name: "f", parameters }] })).toEqual([
      ["f", { n: 3, s: "true", e: "", b: true, l: [1] }],
    ]);
  });

  it("keeps all digits of integers beyond 2^53 (N18)", () => {
    const call = extractToolCalls(hermes('{"name": "f", "arguments": {"id": 12345678901234567890, "n": 7}}'))
      .toolCalls[0];
    expect(call).toMatchObject({ arguments: { id: "12345678901234567890", n: 7 }, repairs: ["big-integer-as-text"] });
  });

  it("keeps the call before a stray closing tag intact (N19)", () => {
    expect(extractToolCalls(`${hermes('{"name": "f", "arguments": {"a": 1}}')}</tool_call> tail`)).toMatchObject({
      content: "tail",
      toolCalls: [{ arguments: { a: 1 } }],
    });
  });

  it("leaves no gap after removing a block and keeps the rest unchanged (N20)", () => {
    expect(extractToolCalls(`One.\n\n${hermes('{"name": "f"}')}\n\nTwo  spaces.`).content).toBe("One.\n\nTwo  spaces.");
    expect(extractToolCalls(`One ${hermes('{"name": "f"}')} two`).content).toBe("One two");
    expect(extractToolCalls(`${hermes('{"name": "f"}')}\n\nTwo`).content).toBe("Two");
    expect(extractToolCalls(`One\n${hermes('{"name": "f"}')}two`).content).toBe("One\ntwo");
  });

  it("accepts only declared names in strict mode and otherwise leaves the text (N21)", () => {
    const text = hermes('{"name": "nobody"}');
    expect(extractToolCalls(text, { mode: "strict", tools: [{ name: "f" }] })).toMatchObject({
      content: text,
      toolCalls: [],
      matches: [{ reason: "unknown-name" }],
    });
  });

  it("extracts several objects on separate lines in one tag (N23)", () => {
    expect(calls(hermes('\n{"name": "f"}\n{"name": "g", "arguments": {"a": 1}}\n'))).toEqual([
      ["f", {}],
      ["g", { a: 1 }],
    ]);
  });
});
