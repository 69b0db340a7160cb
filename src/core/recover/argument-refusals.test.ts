import { describe, expect, it } from "vitest";
import { collect } from "./extract.ts";
import { createLeakScanner, type Extraction, extractToolCalls, type RejectReason } from "./index.ts";

const text = { type: "string" };
const tool = (name: string, properties: object, required: readonly string[] = [], more: object = {}) => ({
  name,
  parameters: { type: "object", properties, required, ...more },
});
const TOOLS = [
  tool("read_file", { path: text, limit: { type: "integer" } }, ["path"]),
  tool("write_file", { path: { ...text, minLength: 1 }, content: text }, ["path", "content"]),
  tool("edit", { path: text, old: text, new: text }, ["path", "old", "new"]),
  tool("bash", { command: text, timeout: { type: "integer" } }, ["command"]),
  tool("note", { text, prio: text }, ["text"]),
  tool("search", { query: text, limit: { type: "integer" } }, ["query"]),
  tool("set_mode", { mode: { ...text, enum: ["on", "off"] }, level: { type: "integer" } }, ["mode"], {
    additionalProperties: false,
  }),
  tool("tag", { name: { ...text, pattern: "^v[0-9]+$" }, parts: { type: "array", items: text, minItems: 1 } }),
  tool("plan", { steps: { type: "array", items: tool("", { do: text }, ["do"]).parameters } }, ["steps"]),
  tool("wait", {}),
  { name: "ping" },
];
const FENCE = "```";

/** Extracts the calls of a text, and checks that streaming it character by character gives the same result. */
function read(written: string, tools: readonly object[] = TOOLS): Extraction {
  const whole = extractToolCalls(written, { tools, newId: () => "id" });
  const scanner = createLeakScanner({ tools, newId: () => "id" });
  const events = [...written].flatMap((letter) => [...scanner.push(letter)]);
  expect(collect([...events, ...scanner.end()])).toEqual(whole);
  return whole;
}

const callsOf = (written: string, tools?: readonly object[]): unknown =>
  read(written, tools).toolCalls.map((call) => [call.name, call.arguments]);

function expectRejected(written: string, reason: RejectReason, tools?: readonly object[]): void {
  const got = read(written, tools);
  expect(got.toolCalls).toEqual([]);
  expect(got.content).toBe(written);
  expect(got.matches.map((match) => (match.kind === "rejected" ? match.reason : match.kind))).toContain(reason);
}

const hermes = (body: string): string => `<tool_call>\n${body}\n</tool_call>`;
const call = (name: string, args: string): string => `{"name": "${name}", "arguments": ${args}}`;

describe("calls without a required parameter", () => {
  it.each([
    ["hermes", hermes(call("read_file", "{}"))],
    ["hermes with other parameters", hermes(call("read_file", '{"limit": 5}'))],
    ["hermes without arguments", hermes('{"name": "read_file"}')],
    ["one of two calls in a list", hermes(`[${call("wait", "{}")}, ${call("read_file", "{}")}]`)],
    ["qwen", "<tool_call>\n<function=write_file>\n<parameter=path>\na\n</parameter>\n</function>\n</tool_call>"],
    ["invoke", '<invoke name="write_file"><parameter name="content">x</parameter></invoke>'],
    ["an empty invoke", '<function_calls>\n<invoke name="read_file">\n</invoke>\n</function_calls>'],
    ["glm", "<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>"],
    ["glm without pairs", "<tool_call>read_file\n</tool_call>"],
    [
      "dsml",
      '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="bash">\n<｜DSML｜parameter name="timeout" string="false">5</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
    ],
    ["kimi k2", '<|tool_call_begin|>functions.bash:0<|tool_call_argument_begin|>{"timeout": 5}<|tool_call_end|>'],
    ["harmony", '<|channel|>commentary to=functions.bash <|constrain|>json<|message|>{"timeout": 5}<|call|>'],
    ["mistral", "[TOOL_CALLS]bash[ARGS]{}"],
    ["gemma", "<|tool_call>call:bash{timeout:5}<tool_call|>"],
    ["lfm2", "<|tool_call_start|>[bash(timeout=5)]<|tool_call_end|>"],
    ["pythonic", "[bash(timeout=5)]"],
    ["bare JSON", call("bash", '{"timeout": 5}')],
    ["fenced JSON", `${FENCE}json\n${call("bash", '{"timeout": 5}')}\n${FENCE}`],
    ["react", 'Action: bash\nAction Input: {"timeout": 5}'],
    ["a tag per tool", "<write_file><path>a</path></write_file>"],
    ["YAML in a tag", "<write_file>\npath: a\n</write_file>"],
    ["an item of a list", hermes(call("plan", '{"steps": [{"do": "a"}, {}]}'))],
  ])("a call without a required parameter is rejected: %s", (_what, written) => {
    expectRejected(written, "missing-argument");
  });
});

describe("calls with an empty or missing parameter value", () => {
  it.each([
    ["qwen, nothing before the closer of the call", "<function=read_file><parameter=path></function>"],
    ["invoke, nothing before the closer of the call", '<invoke name="read_file"><parameter name="path">\n</invoke>'],
    ["glm, a key without a value", "<tool_call>read_file\n<arg_key>path</arg_key>\n</tool_call>"],
    ["glm, an opened value without content", "<tool_call>read_file<arg_key>path</arg_key><arg_value></tool_call>"],
    ["a tag per tool, an unclosed element", "<read_file><path></read_file>"],
    ["YAML, a key without a value", "<read_file>\npath:\nlimit: 3\n</read_file>"],
    [
      "an optional parameter, opened without a value",
      "<function=note><parameter=text>a</parameter><parameter=prio></function>",
    ],
    ["null for a required parameter", hermes(call("read_file", '{"path": null}'))],
    ["an empty string that is shorter than minLength", hermes(call("write_file", '{"path": "", "content": "x"}'))],
    [
      "an empty element that is shorter than minLength",
      "<function=write_file><parameter=path></parameter><parameter=content>x</parameter></function>",
    ],
    ["an empty string that is not in the enum", hermes(call("set_mode", '{"mode": ""}'))],
    ["an empty string that does not match the pattern", hermes(call("tag", '{"name": ""}'))],
    ["an empty parameter for all that is required", "<function=bash>\n<parameter=command>\n</parameter>\n</function>"],
    ["an empty list", hermes(call("tag", '{"parts": []}'))],
    [
      "an empty element for a number",
      "<function=read_file><parameter=path>a</parameter><parameter=limit></parameter></function>",
    ],
  ])("a call with an empty or missing value is rejected: %s", (_what, written) => {
    expectRejected(written, "empty-argument");
  });
});

describe("calls with a value that does not fit the schema", () => {
  it.each([
    ["a value outside the enum, JSON", hermes(call("set_mode", '{"mode": "maybe"}'))],
    ["a value outside the enum, markup", "<function=set_mode><parameter=mode>maybe</parameter></function>"],
    ["a value outside the enum, tag per tool", "<set_mode><mode>maybe</mode></set_mode>"],
    ["a value outside the enum, pythonic", "[set_mode(mode='maybe')]"],
    ["a text for an integer, JSON", hermes(call("read_file", '{"path": "a", "limit": "many"}'))],
    [
      "a text for an integer, glm",
      "<tool_call>read_file<arg_key>path</arg_key><arg_value>a</arg_value><arg_key>limit</arg_key><arg_value>many</arg_value></tool_call>",
    ],
    ["a text for an integer, attributes", '<read_file path="a" limit="many"/>'],
    ["a fraction for an integer", hermes(call("read_file", '{"path": "a", "limit": 1.5}'))],
    ["a list for a text", hermes(call("read_file", '{"path": ["a", "b"]}'))],
    ["an object for a text", hermes(call("note", '{"text": {"a": 1}}'))],
    ["a text for a list of objects", hermes(call("plan", '{"steps": "all of them"}'))],
    ["a list that cannot be read", "<function=tag><parameter=parts>['a', 'b'<c>]</parameter></function>"],
    ["a key that the schema excludes, JSON", hermes(call("set_mode", '{"mode": "on", "loud": true}'))],
    [
      "a key that the schema excludes, markup",
      "<function=set_mode><parameter=mode>on</parameter><parameter=loud>1</parameter></function>",
    ],
    ["a key that the schema excludes, gemma", '<|tool_call>call:set_mode{mode:<|"|>on<|"|>,loud:true}<tool_call|>'],
  ])("a call with an invalid value is rejected: %s", (_what, written) => {
    expectRejected(written, "invalid-arguments");
  });
});

describe("ambiguous calls", () => {
  it.each([
    ["an unquoted value with a comma and a time", "call:note{text:meet at 10:00, 11:00 sharp,prio:high}"],
    [
      "an unquoted value with a comma and a time, in an envelope",
      "<|tool_call>call:note{text:meet at 10:00, 11:00 sharp,prio:high}<tool_call|>",
    ],
    [
      "an unquoted value with a comma and a colon",
      "<|tool_call>call:note{text:meet now, bring: cake,prio:high}<tool_call|>",
    ],
    [
      "an unquoted value in JSON",
      hermes('{"name": "note", "arguments": {"text": meet at 10:00, 11:00 sharp, "prio": "high"}}'),
    ],
    ["JSON without any quotes", hermes("{name: note, arguments: {text: meet at 10:00, 11:00 sharp, prio: high}}")],
    ["unescaped quotes before an undeclared key", hermes('{"name": "note", "arguments": {"text": "say "hi", "z": 1}}')],
    [
      "unescaped quotes before an unquoted key",
      hermes('{"name": "note", "arguments": {"text": "f(a="x", prio="high")"}}'),
    ],
    ["a value element without a key", "<tool_call>read_file\n<arg_value>/srv</arg_value>\n</tool_call>"],
    [
      "two keys that run together",
      "<tool_call>read_file<arg_key>limit</arg_ke><arg_key>path</arg_key><arg_value>a</arg_value></tool_call>",
    ],
    ["an element that contains only itself", "<read_file><path><path>/srv</path></path></read_file>"],
    ["a parameter without a name", "<function=read_file><parameter>the path of it</parameter>/srv</function>"],
    ["text after a parameter", "<function=bash><parameter=command>ls</parameter> && rm -rf /</function>"],
    ["text after a value", "<tool_call>bash<arg_key>command</arg_key><arg_value>ls</arg_value> -la</tool_call>"],
    ["text after a parameter at the end", "<function=bash><parameter=command>ls</parameter> && rm"],
    [
      "two values for a required parameter",
      "<function=bash><parameter=command>ls</parameter><parameter=command>rm</parameter></function>",
    ],
    ["two elements for a required parameter", "<bash><command>ls</command><command>rm</command></bash>"],
    ["a key twice in single quotes", hermes("{'name': 'bash', 'arguments': {'command': 'ls', 'command': 'rm'}}")],
    ["malformed YAML", "<note>\ntext:\n  a\n</note>"],
    ["a variable as the value", "[read_file(path=path)]"],
    ["words without quotes", "[note(text=hello there)]"],
    ["a positional value after a named one", '[note(text="hello", "there")]'],
    ["a repeated name", '[note(text="a", text="b")]'],
    ["a positional and a named value for the same parameter", '[note("a", text="b")]'],
  ])("an ambiguous call is rejected: %s", (_what, written) => {
    expectRejected(written, "ambiguous");
  });

  it("an ambiguous call is rejected even if the tool has no schema", () => {
    expectRejected("<|tool_call>call:ping{text:meet now, bring: cake}<tool_call|>", "ambiguous");
    expect(callsOf('<|tool_call>call:ping{text:<|"|>meet now, bring: cake<|"|>}<tool_call|>')).toEqual([
      ["ping", { text: "meet now, bring: cake" }],
    ]);
  });
});

describe("calls with malformed arguments", () => {
  it.each([
    ["no arguments after the colon", hermes('{"name": "read_file", "arguments": }')],
    ["no arguments after the colon, for a tool that needs none", hermes('{"name": "wait", "arguments": }')],
    ["no value after the colon", hermes('{"name": "read_file", "arguments": {"path": }}')],
    ["no value in braces", "<|tool_call>call:read_file{path:}<tool_call|>"],
    ["no value in a Python call", "[read_file(path=)]"],
    ["an ellipsis as the value", hermes('{"name": "read_file", "arguments": {"path": ...}}')],
    ["an expression", hermes('{"name": "read_file", "arguments": {"path": "a" + "b"}}')],
    ["a Python f-string", '[read_file(path=f"{home}/a")]'],
    [
      "two argument objects",
      hermes('{"name": "bash", "arguments": {"command": "ls"}, "parameters": {"command": "rm"}}'),
    ],
    ["no value in ReAct", 'Action: read_file\nAction Input: {"path": }'],
  ])("a call without a readable value is rejected: %s", (_what, written) => {
    expectRejected(written, "malformed");
  });

  it("a call whose arguments are not closed is rejected as truncated", () => {
    expectRejected(hermes('{"name": "read_file", "arguments": {"path"}}'), "truncated");
    expectRejected("<tool_call>wait", "truncated", [{ name: "wait" }, { name: "wait_for" }]);
    expect(callsOf("<tool_call>wait")).toEqual([["wait", {}]]);
    expectRejected(hermes('{"name": "note", "arguments": {"text": "a }'), "truncated");
    expectRejected(hermes('{"name": "note", "arguments": {"text": "{"x": "y", "z": 1}"}}'), "truncated");
  });
});

describe("a name whose arguments begin with a damaged tag", () => {
  it.each([
    ["a key whose tag never closes", "<tool_call>wait\n<arg_ke<arg_value>Oslo</arg_value>\n</tool_call>"],
    ["a quote in the tag of a key", "<tool_call>wait\n<arg_key'>city</arg_key>\n</tool_call>"],
  ])("a name with damaged arguments is not read as a call without arguments: %s", (_name, written) =>
    expectRejected(written, "malformed"),
  );

  it("a name is a call without arguments if only the closer of its tag was cut off", () =>
    expect(callsOf("<tool_call>wait\n</tool_ca")).toEqual([["wait", {}]]));
});

describe("duplicated tags", () => {
  it.each([
    [
      "a closer after a key",
      "<tool_call>read_file\n<arg_key>path</arg_key></arg_key><arg_value>/srv</arg_value>\n</tool_call>",
    ],
    [
      "an opener before a key",
      "<tool_call>read_file\n<arg_key><arg_key>path</arg_key>\n<arg_value>/srv</arg_value>\n</tool_call>",
    ],
    [
      "an opener before a value",
      "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value><arg_value>/srv</arg_value>\n</tool_call>",
    ],
    [
      "both tags of a value",
      "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value><arg_value>/srv</arg_value></arg_value>\n</tool_call>",
    ],
    ["an opener of a parameter", "<function=read_file><parameter=path><parameter=path>/srv</parameter></function>"],
    [
      "both tags of a parameter",
      "<function=read_file><parameter=path><parameter=path>/srv</parameter></parameter></function>",
    ],
    [
      "an opener of an invoke parameter",
      '<invoke name="read_file"><parameter name="path"><parameter name="path">/srv</parameter></invoke>',
    ],
    [
      "the tags of the call",
      "<function=read_file><function=read_file><parameter=path>/srv</parameter></function></function>",
    ],
    ["an opener of an element", "<read_file><path><path>/srv</path></read_file>"],
    ["the tags of a tool", "<read_file><read_file><path>/srv</path></read_file></read_file>"],
  ])("a duplicated tag counts once: %s", (_what, written) => {
    expect(callsOf(written)).toEqual([["read_file", { path: "/srv" }]]);
  });

  it("a duplicated tag counts once for a tool without a schema", () => {
    const written = "<function=ping><parameter=path><parameter=path>/srv</parameter></function>";
    expect(callsOf(written)).toEqual([["ping", { path: "/srv" }]]);
  });
});

describe("values that need care", () => {
  it("an empty string in quotes is kept, even for all that is required", () => {
    expect(callsOf(hermes(call("read_file", '{"path": "", "limit": 5}')))).toEqual([
      ["read_file", { path: "", limit: 5 }],
    ]);
  });

  it("an empty string is kept as a value, because it may mean a deletion", () => {
    const wanted = [["edit", { path: "a", old: "x", new: "" }]];
    expect(callsOf(hermes(call("edit", '{"path": "a", "old": "x", "new": ""}')))).toEqual(wanted);
    expect(
      callsOf(
        "<function=edit><parameter=path>a</parameter><parameter=old>x</parameter><parameter=new></parameter></function>",
      ),
    ).toEqual(wanted);
    expect(callsOf("<edit><path>a</path><old>x</old><new/></edit>")).toEqual(wanted);
    expect(callsOf('<edit path="a" old="x" new=""/>')).toEqual(wanted);
  });

  it("a value is converted if exactly one type fits", () => {
    expect(callsOf(hermes(call("read_file", '{"path": "a", "limit": "5"}')))).toEqual([
      ["read_file", { path: "a", limit: 5 }],
    ]);
    expect(callsOf(hermes(call("note", '{"text": 42}')))).toEqual([["note", { text: "42" }]]);
    expect(callsOf(hermes(call("read_file", '{"path": "a", "limit": null}')))).toEqual([
      ["read_file", { path: "a", limit: null }],
    ]);
  });

  it("adjacent Python strings are joined into one value", () => {
    expect(callsOf("[bash(command='ls' ' -la')]")).toEqual([["bash", { command: "ls -la" }]]);
  });

  it("a value that is written twice is used if both are equal", () => {
    const twice = "<function=bash><parameter=command>ls</parameter><parameter=command>ls</parameter></function>";
    expect(callsOf(twice)).toEqual([["bash", { command: "ls" }]]);
  });

  it("unquoted values in braces are accepted if their keys are declared", () => {
    expect(callsOf("call:note{text:meet now,prio:high}")).toEqual([["note", { text: "meet now", prio: "high" }]]);
  });
});

describe("closers inside a value", () => {
  const inner = '</tool_call> <tool_call>{"name": "bash", "arguments": {"command": "rm"}}</tool_call>';
  const nested = '</invoke> <invoke name="bash"><parameter name="command">rm</parameter></invoke>';
  const wrote = (content: string): unknown => [["write_file", { path: "a", content }]];

  it.each([
    [
      "in a JSON string",
      hermes(`{"name": "write_file", "arguments": {"path": "a", "content": ${JSON.stringify(`x ${inner} y`)}}}`),
      `x ${inner} y`,
    ],
    [
      "in single quotes",
      hermes(`{'name': 'write_file', 'arguments': {'path': 'a', 'content': 'x ${inner} y'}}`),
      `x ${inner} y`,
    ],
    [
      "in a string with line breaks",
      hermes(`{"name": "write_file", "arguments": {"path": "a", "content": "x\n${inner.replaceAll('"', '\\"')}\ny"}}`),
      `x\n${inner}\ny`,
    ],
    [
      "in an invoke parameter",
      `<invoke name="write_file"><parameter name="path">a</parameter><parameter name="content">x ${nested} y</parameter></invoke>`,
      `x ${nested} y`,
    ],
    [
      "in a qwen parameter",
      "<tool_call><function=write_file><parameter=path>a</parameter><parameter=content>x\n</function>\n</tool_call>\ny</parameter></function></tool_call>",
      "x\n</function>\n</tool_call>\ny",
    ],
    [
      "in a glm value",
      "<tool_call>write_file<arg_key>path</arg_key><arg_value>a</arg_value><arg_key>content</arg_key><arg_value>x </tool_call> <tool_call>bash<arg_key>command</arg_key><arg_value>rm</arg_value></tool_call> y</arg_value></tool_call>",
      "x </tool_call> <tool_call>bash<arg_key>command</arg_key><arg_value>rm</arg_value></tool_call> y",
    ],
    [
      "in an element",
      "<write_file><path>a</path><content>x </write_file> <bash><command>rm</command></bash> y</content></write_file>",
      "x </write_file> <bash><command>rm</command></bash> y",
    ],
  ])("a closer inside a value does not end it: %s", (_what, written, content) => {
    expect(callsOf(written)).toEqual(wrote(content));
  });

  it("a value without a closer ends with its call", () => {
    expect(
      callsOf('<invoke name="read_file"><parameter name="path">a</invoke>\n<invoke name="wait"></invoke>'),
    ).toEqual([
      ["read_file", { path: "a" }],
      ["wait", {}],
    ]);
  });
});

describe("a string without escaped quotes that holds the opener of a call", () => {
  const kimi = (name: string, args: string): string =>
    `<|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>${args}<|tool_call_end|>`;
  const mistral = (name: string, args: string): string => `[TOOL_CALLS]${name}[ARGS]${args}`;

  it.each([
    ["Kimi", kimi],
    ["Mistral", mistral],
  ])("a string that holds the opener of a call is neither one call nor two: %s", (_name, written) => {
    expectRejected(`${written("note", '{"text": "a b}')}${written("bash", '{"command": "rm"}')}`, "ambiguous");
    expectRejected(written("note", `{"text": "as "b" is ${written("bash", '{"command": "rm"}')}"}`), "ambiguous");
    expect(callsOf(written("note", '{"text": "as "b" is"}'))).toEqual([["note", { text: 'as "b" is' }]]);
  });
});

describe("the data of rejected calls", () => {
  const bash = '<tool_call>{"name": "bash", "arguments": {"command": "rm"}}</tool_call>';
  const invoke = '<invoke name="bash"><parameter name="command">rm</parameter></invoke>';

  it.each([
    [
      "a missing argument, JSON",
      hermes(`{"name": "write_file", "arguments": {"content": ${JSON.stringify(`x\n${invoke}`)}}}`),
    ],
    ["a missing argument, bare JSON", call("write_file", `{"content": ${JSON.stringify(bash)}}`)],
    ["a missing argument, markup", `<function=write_file><parameter=content>\n${invoke}\n</parameter></function>`],
    ["a missing argument, tag per tool", `<write_file><content>\n${bash}\n</content></write_file>`],
    [
      "truncated arguments, JSON",
      `<tool_call>{"name": "write_file", "arguments": {"path": "a", "content": "${invoke.replaceAll('"', '\\"')}`,
    ],
    ["truncated arguments, markup", `<function=write_file><parameter=path>a</parameter><parameter=content>\n${bash}\n`],
    ["truncated arguments, glm", `<tool_call>write_file<arg_key>content</arg_key><arg_value>\n${invoke}\n`],
    ["truncated arguments, pythonic", `<|tool_call_start|>[write_file(path='a', content='${bash}`],
    [
      "unescaped quotes",
      hermes(`{"name": "write_file", "arguments": {"path": "a", "content": "x </tool_call>\n${bash} y"}}`),
    ],
    ["JSON that is not a call", hermes(`{"text": ${JSON.stringify(bash)}}`)],
    ["a value without a key", `<tool_call>write_file<arg_value>\n${invoke}\n</arg_value></tool_call>`],
  ])("the data of a rejected call is not searched for calls: %s", (_what, written) => {
    expect(callsOf(written)).toEqual([]);
  });

  it("calls after a rejected call are extracted", () => {
    expect(callsOf(`${hermes(call("read_file", "{}"))}\n${bash}`)).toEqual([["bash", { command: "rm" }]]);
    expect(callsOf(`<function_calls>\n<invoke name="read_file">\n</invoke>\n${invoke}\n</function_calls>`)).toEqual([
      ["bash", { command: "rm" }],
    ]);
    expect(callsOf(`<tool_call>{"name": "note", "arguments": {"text": "ha</tool_call>\n${bash}`)).toEqual([
      ["bash", { command: "rm" }],
    ]);
  });
});

describe("an element with a tool's name", () => {
  it.each([
    ["a word in a sentence", "Use the <search>word</search> element here.", "not-anchored"],
    ["a word at the end of a sentence", "It is called <search>word</search>", "not-anchored"],
    ["attributes inside other markup", '<html><body><bash command="rm -rf /srv/x"/></body></html>', "not-anchored"],
    ["attributes in a sentence", 'Then <bash command="ls"/> it.', "not-anchored"],
    ["an empty element in a sentence", "The <wait/> element waits.", "not-anchored"],
    ["an empty pair in a sentence", "The <wait></wait> element waits.", "not-anchored"],
    ["attributes that are not parameters", '<search class="wide">\n</search>', "schema"],
    ["elements that are not parameters", "<note><text>a</text><footer>b</footer></note>", "schema"],
    ["attributes of a tool without parameters", '<wait class="wide"/>', "schema"],
    ["HTML elements", "<note><b>hello</b></note>", "schema"],
    ["text for a tool with two required parameters", "<write_file>hello</write_file>", "malformed"],
  ] as const)("an element is not a call: %s", (_what, written, reason) => {
    expectRejected(written, reason);
  });

  it.each([
    ["its parameters as elements, in a sentence", "So <search><query>owls</query></search>", { query: "owls" }],
    ["its parameters as YAML", "<search>\nquery: owls\nlimit: 2\n</search>", { query: "owls", limit: 2 }],
    ["its parameters as attributes on a line", 'Now.\n<search query="owls" limit="2"/>\n', { query: "owls", limit: 2 }],
    ["the one text it needs, alone on its line", "Now.\n\n<search>owls</search>\n\nDone.", { query: "owls" }],
    ["the one text it needs, alone on its lines", "<search>\nowls\n</search>", { query: "owls" }],
    ["the one text it needs, in a wrapper", "Go: <tool_call><search>owls</search></tool_call> now", { query: "owls" }],
  ])("an element is a call with %s", (_what, written, args) => {
    expect(callsOf(written)).toEqual([["search", args]]);
  });

  it("elements on the same line are separate calls", () => {
    expect(callsOf("<wait/> <search>bats</search><search>owls</search>")).toEqual([
      ["wait", {}],
      ["search", { query: "bats" }],
      ["search", { query: "owls" }],
    ]);
  });
});

describe("a name that contains a special token", () => {
  it.each([
    "read_file<|channel|>commentary",
    "functions.read_file<|constrain|>json",
    "<|channel|>commentary functions.read_file",
    "read_file<|tool_sep|>x",
  ])("the declared part of the name is used: %s", (name) => {
    expect(callsOf(hermes(call(name, '{"path": "a"}')))).toEqual([["read_file", { path: "a" }]]);
  });

  it("a name with two undeclared words is rejected", () => {
    expectRejected(hermes(call("list<|channel|>all", "{}")), "invalid-name");
    expect(callsOf(hermes(call("list<|channel|>commentary", "{}")))).toEqual([["list", {}]]);
  });
});

describe("a call with more than one reading", () => {
  it.each([
    ["two names in one object", hermes('{"name": "wait", "name": "ping", "arguments": {}}')],
    ["a value given twice", hermes('{"name": "bash", "arguments": {"command": "ls", "command": "make clean"}}')],
    ["a value given twice behind a name", '<function=bash>{"command": "ls", "command": "pwd"}</function>'],
    ["a value given twice in braces", '<|tool_call>call:bash{command:<|"|>ls<|"|>,command:<|"|>pwd<|"|>}<tool_call|>'],
    ["a value given twice in words", "[Tool Use: bash command=ls command=pwd]"],
    ["an element with a second name", '<invoke name="wait"><tool_name>ping</tool_name></invoke>'],
  ])("a call with more than one reading is rejected: %s", (_what, written) => {
    expectRejected(written, "ambiguous");
  });

  it("a call with two readings is accepted if both are the same", () => {
    expect(callsOf(hermes('{"name": "bash", "arguments": {"command": "ls", "command": "ls"}}'))).toEqual([
      ["bash", { command: "ls" }],
    ]);
  });

  it("a call is rejected if keys of the name hold different tools", () => {
    expectRejected(hermes('{"tool": "wait", "function": "ping", "arguments": {}}'), "malformed");
    expect(callsOf(hermes('{"tool": "wait", "name": "wait", "arguments": {}}'))).toEqual([["wait", {}]]);
  });

  it("a call is rejected if its name fits several tools, whatever the format", () => {
    const url = tool("", { url: text }, ["url"]).parameters;
    const tools = ["mcp__web__fetch", "mcp__git__fetch"].map((name) => ({ name, parameters: url }));
    expectRejected(hermes(call("fetch", '{"url": "https://a.example"}')), "ambiguous", tools);
    expectRejected(
      "<function=fetch>\n<parameter=url>\nhttps://a.example\n</parameter>\n</function>",
      "ambiguous",
      tools,
    );
    expect(callsOf(hermes(call("fetch", '{"url": "https://a.example"}')), tools.slice(1))).toEqual([
      ["mcp__git__fetch", { url: "https://a.example" }],
    ]);
  });

  it("a call is rejected if its name is a list of tools", () => {
    expectRejected(hermes(call("wait or ping", "{}")), "invalid-name");
  });
});

describe("arguments without brackets", () => {
  it("a key before another key has no value", () => {
    expect(callsOf("[Tool Use: search query= limit=3]")).toEqual([]);
    expect(callsOf("[Tool Use: search query = owls limit = 3]")).toEqual([["search", { query: "owls", limit: 3 }]]);
  });

  it("the last value is cut off if the bracket never closes", () => {
    expectRejected("[Tool Use: bash command=rm", "truncated");
  });

  it("keys in YAML between tags are data if the tag never closes", () => {
    expect(callsOf("<tool_call>\nname: bash\narguments:\n  command: make cle")).toEqual([]);
  });
});

describe("arguments that lost only the brackets at their end", () => {
  it.each([
    [
      "before a special token",
      '<|tool_call_begin|>functions.bash:0<|tool_call_argument_begin|>{"timeout": 5, "command": "ls"<|tool_call_end|>',
    ],
    ["before a tag", '<function=bash>{"command": "ls", "timeout": 5</function>'],
    ["in a body", '<tool_call>{"name": "bash", "arguments": {"command": "ls", "timeout": 5</tool_call>'],
  ])("arguments that lost only their closing brackets are accepted: %s", (_what, written) => {
    expect(callsOf(written)).toEqual([["bash", { command: "ls", timeout: 5 }]]);
  });

  it.each([
    ["a string is open", '<function=bash>{"timeout": 5, "command": "ls</function>'],
    ["a key has no value", '<function=bash>{"command": "ls", "timeout":</function>'],
    ["a number may go on", '<function=bash>{"command": "ls", "timeout": 5.</function>'],
    ["nothing closes the call", '<function=bash>{"command": "ls", "timeout": 5'],
  ])("arguments that lost only their closing brackets are rejected if %s", (_what, written) => {
    expect(callsOf(written)).toEqual([]);
  });
});

describe("Python that uses results", () => {
  const python = (code: string): string => `${FENCE}tool_code\n${code}\n${FENCE}`;

  it("Python may assign and print the result of a call", () => {
    expect(callsOf(python('found = search(query="owls")\nprint(found)'))).toEqual([["search", { query: "owls" }]]);
    expect(callsOf(python("a = wait()\nb = ping()"))).toEqual([
      ["wait", {}],
      ["ping", {}],
    ]);
  });

  it("Python that uses a result is rejected if a value is not in the text", () => {
    expectRejected(python('found = search(query="owls")\nread_file(path=found)'), "ambiguous");
  });
});

describe("a sentence that names a tool", () => {
  it.each([
    ["without arguments", "Calling `wait` is easy."],
    ["with other words before the object", 'Using `search` with {"query": "owls"} fails.'],
    [
      "with text behind its fence",
      `Calling \`search\` with these arguments:\n${FENCE}json\n{"query": "owls"}\n${FENCE}\nreturns nothing.`,
    ],
    ["with arguments that do not fit", 'Calling `search` with arguments:\n{"limit": 3}'],
  ])("a sentence that names a tool is not a call: %s", (_what, written) => {
    expect(callsOf(written)).toEqual([]);
  });
});
