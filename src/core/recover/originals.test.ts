import { describe, expect, it } from "vitest";
import { extractToolCalls, type RecoverOptions, tryExtractLeakedToolCalls } from "./index.ts";

const calls = (text: string, options: RecoverOptions = {}): unknown =>
  extractToolCalls(text, options).toolCalls.map((call) => [call.name, call.arguments]);
const hermes = (body: string): string => `<tool_call>${body}</tool_call>`;

describe("defects of the original extractor stay mended", () => {
  it("N1: arguments as a JSON string are parsed", () => {
    expect(calls(hermes('{"name": "f", "arguments": "{\\"a\\": [1]}"}'))).toEqual([["f", { a: [1] }]]);
  });

  it("N2: args and input are accepted as argument keys", () => {
    expect(calls(`${hermes('{"name": "f", "args": {"a": 1}}')}${hermes('{"tool": "g", "input": {"b": 2}}')}`)).toEqual([
      ["f", { a: 1 }],
      ["g", { b: 2 }],
    ]);
  });

  it("N3: OpenAI's nesting and a tool_calls list inside a tag give their calls", () => {
    expect(calls(hermes('{"type": "function", "function": {"name": "f", "arguments": "{}"}}'))).toEqual([["f", {}]]);
    expect(
      calls(hermes('{"tool_calls": [{"function": {"name": "f", "arguments": {"a": 1}}}, {"name": "g"}]}')),
    ).toEqual([
      ["f", { a: 1 }],
      ["g", {}],
    ]);
  });

  it("N4: a wrapper with two children gives two calls in order", () => {
    const text = `<tool_calls>\n${hermes('{"name": "f"}')}\n${hermes('{"name": "g"}')}\n</tool_calls>`;
    expect(extractToolCalls(text)).toMatchObject({ content: "", toolCalls: [{ name: "f" }, { name: "g" }] });
  });

  it("N5: a closing tag inside a string does not end the block", () => {
    const got = extractToolCalls(`${hermes('{"name": "f", "arguments": {"a": "see </tool_call> there"}}')} tail`);
    expect(got.toolCalls[0]?.arguments).toEqual({ a: "see </tool_call> there" });
    expect(got.content.trim()).toBe("tail");
  });

  it.each([
    `Like so:\n\`\`\`\n${hermes('{"name": "rm", "arguments": {"path": "/"}}')}\n\`\`\`\nThat was it.`,
    `Write \`${hermes('{"name": "rm", "arguments": {"path": "/"}}')}\` and see.`,
    `Like so:\n~~~xml\n${hermes('{"name": "rm"}')}\n~~~\n`,
  ])("N6: a tag in a fence or inline code is text", (text) => {
    expect(extractToolCalls(text)).toMatchObject({ content: text, toolCalls: [] });
    expect(tryExtractLeakedToolCalls(text)).toEqual({ content: text, toolCalls: [] });
  });

  it.each([
    "I use <tools>hammer and nails</tools> daily.",
    "Call <function>print()</function> once.",
    "Wrap it in <tool_call> and </tool_call>.",
  ])("N7: prose that only looks like a tag is never removed: %s", (text) => {
    expect(extractToolCalls(text).content).toBe(text);
    expect(extractToolCalls(`${text}\n${hermes('{"name": "f"}')}`)).toMatchObject({
      content: text,
      toolCalls: [{ name: "f" }],
    });
  });

  it("N8: an unclosed tag at the end and a tag with attributes are recovered", () => {
    expect(calls('<tool_call>{"name": "f", "arguments": {"a": 1}}')).toEqual([["f", { a: 1 }]]);
    expect(calls('<tool_call id="1">{"name": "f"}</tool_call>')).toEqual([["f", {}]]);
  });

  it("N9: Qwen3-Coder, GLM and Claude styles give calls", () => {
    expect(calls("<function=read><parameter=path>a.txt</parameter></function>")).toEqual([["read", { path: "a.txt" }]]);
    expect(calls("<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n</tool_call>")).toEqual([
      ["read", { path: "a.txt" }],
    ]);
    expect(
      calls('<function_calls><invoke name="read"><parameter name="path">a.txt</parameter></invoke></function_calls>'),
    ).toEqual([["read", { path: "a.txt" }]]);
  });

  it("N10: valid JSON is never altered, and what is altered is listed", () => {
    const sql = extractToolCalls(hermes('{"name": "f", "arguments": {"q": "SELECT x20, x41"}}')).toolCalls[0];
    expect(sql).toMatchObject({ arguments: { q: "SELECT x20, x41" }, repairs: [] });
    const path = extractToolCalls(hermes('{"name": "f", "arguments": {"p": "C:\\x64\\bin"}}')).toolCalls[0];
    expect(path).toMatchObject({ arguments: { p: "C:\\x64\\bin" }, repairs: ["invalid-escape"] });
    const pattern = extractToolCalls(hermes('{"name": "f", "arguments": {"p": "\\d+", "u": "C:\\Users"}}'))
      .toolCalls[0];
    expect(pattern).toMatchObject({ arguments: { p: "\\d+", u: "C:\\Users" }, repairs: ["invalid-escape"] });
  });

  it("N11: calls keep the order of appearance across tags", () => {
    const text = `<function>{"name": "a"}</function><tools>{"name": "b"}</tools>${hermes('{"name": "c"}')}<tool_calls>[{"name": "d"}]</tool_calls>`;
    expect(extractToolCalls(text).toolCalls.map((call) => call.name)).toEqual(["a", "b", "c", "d"]);
  });

  it("N12: dotted, prefixed and non-Latin names come out right, and cleaning is listed", () => {
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

  it("N14: characters whose lower case is longer do not shift cuts", () => {
    expect(extractToolCalls(`İİİ ${hermes('{"name": "f"}')} tail`).content).toBe("İİİ tail");
  });

  it("N15: an invoke without parameters is kept", () => {
    expect(calls('<invoke name="ping"></invoke>')).toEqual([["ping", {}]]);
    expect(calls('<invoke name="ping"/>')).toEqual([["ping", {}]]);
  });

  it("N16: a call to a tool that is not declared does not vanish", () => {
    expect(extractToolCalls(hermes('{"name": "nobody"}'), { tools: [{ name: "f" }] }).toolCalls).toMatchObject([
      { name: "nobody", known: false },
    ]);
  });

  it("N17: values in markup are typed by the schema", () => {
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

  it("N18: integers beyond 2^53 keep their digits", () => {
    const call = extractToolCalls(hermes('{"name": "f", "arguments": {"id": 12345678901234567890, "n": 7}}'))
      .toolCalls[0];
    expect(call).toMatchObject({ arguments: { id: "12345678901234567890", n: 7 }, repairs: ["big-integer-as-text"] });
  });

  it("N19: a stray closing tag leaves the call before it intact", () => {
    expect(extractToolCalls(`${hermes('{"name": "f", "arguments": {"a": 1}}')}</tool_call> tail`)).toMatchObject({
      content: "tail",
      toolCalls: [{ arguments: { a: 1 } }],
    });
  });

  it("N20: removing a block leaves no gap and the rest as it was", () => {
    expect(extractToolCalls(`One.\n\n${hermes('{"name": "f"}')}\n\nTwo  spaces.`).content).toBe("One.\n\nTwo  spaces.");
    expect(extractToolCalls(`One ${hermes('{"name": "f"}')} two`).content).toBe("One two");
    expect(extractToolCalls(`${hermes('{"name": "f"}')}\n\nTwo`).content).toBe("Two");
    expect(extractToolCalls(`One\n${hermes('{"name": "f"}')}two`).content).toBe("One\ntwo");
  });

  it("N21: mode strict takes declared names only, and leaves the text otherwise", () => {
    const text = hermes('{"name": "nobody"}');
    expect(extractToolCalls(text, { mode: "strict", tools: [{ name: "f" }] })).toMatchObject({
      content: text,
      toolCalls: [],
      matches: [{ reason: "unknown-name" }],
    });
  });

  it("N23: several objects on separate lines in one tag give several calls", () => {
    expect(calls(hermes('\n{"name": "f"}\n{"name": "g", "arguments": {"a": 1}}\n'))).toEqual([
      ["f", {}],
      ["g", { a: 1 }],
    ]);
  });
});
