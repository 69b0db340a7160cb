import { describe, expect, it } from "vitest";
import { createLeakScanner, extractToolCalls } from "./index.ts";

const string = { type: "string" };
const TOOLS = [
  {
    name: "book_room",
    parameters: {
      type: "object",
      properties: { hotel: string, nights: { type: "integer" }, quiet: { type: "boolean" }, extras: { type: "array" } },
      required: ["hotel"],
    },
  },
  { name: "cancel", parameters: { type: "object", properties: { code: string }, required: ["code"] } },
  { name: "ping", parameters: { type: "object", properties: {} } },
];

type Calls = readonly (readonly [string, unknown])[];

/** Extracts the calls of a text, and checks that streaming it character by character gives the same result. */
function calls(text: string): Calls {
  const found = extractToolCalls(text, { tools: TOOLS }).toolCalls.map((call) => [call.name, call.arguments] as const);
  const scanner = createLeakScanner({ tools: TOOLS });
  const events = [...text].flatMap((letter) => [...scanner.push(letter)]);
  const streamed = [...events, ...scanner.end()].flatMap((event) =>
    event.kind === "call" ? [[event.call.name, event.call.arguments] as const] : [],
  );
  expect(streamed).toEqual(found);
  return found;
}

const BOOKED: Calls = [["book_room", { hotel: "Krone" }]];
const TWO_NIGHTS: Calls = [["book_room", { hotel: "Krone", nights: 2 }]];

describe("a tag named after a tool", () => {
  it.each([
    ["a comment before the parameters", "<book_room><!-- as asked --><hotel>Krone</hotel></book_room>"],
    ["a comment between the parameters", "<book_room>\n<hotel>Krone</hotel>\n<!-- any night -->\n</book_room>"],
    [
      "a processing instruction before the parameters",
      '<book_room><?xml version="1.0"?><hotel>Krone</hotel></book_room>',
    ],
    ["a misspelled inner closer", "<book_room><hotel>Krone</hotle></book_room>"],
    ["no inner closer, and a line break", "<book_room>\n<hotel>Krone\n</book_room>"],
    ["attributes and an empty body", '<book_room hotel="Krone">\n</book_room>\n'],
    ["a tag that lost its bracket before the parameters", "<book_room\n  <hotel>Krone</hotel>\n/>"],
    ["YAML in a fence", "<book_room>\n```yaml\nhotel: Krone\n```\n</book_room>"],
    ["YAML as a document", "<book_room>\n---\nhotel: Krone\n...\n</book_room>"],
  ])("a tag named after a tool is a call: %s", (_what, text) => {
    expect(calls(text)).toEqual(BOOKED);
  });

  it("the repair names a tag that lost its bracket, and the tag's end is removed with the call", () => {
    const { content, toolCalls } = extractToolCalls("<book_room\n<hotel>Krone</hotel>\n/>", { tools: TOOLS });
    expect(content).toBe("");
    expect(toolCalls[0]?.repairs).toEqual(["missing-closer"]);
  });

  it("an unclosed value ends where the next declared parameter begins", () => {
    expect(calls("<book_room><hotel>Krone<nights>2</nights></book_room>")).toEqual(TWO_NIGHTS);
    expect(calls("<book_room><hotel>Krone</htl><nights>2</nights></book_room>")).toEqual(TWO_NIGHTS);
  });

  it("markup inside a closed text value is kept", () => {
    expect(calls("<book_room><hotel>Zur <nights>Krone</nights></hotel></book_room>")).toEqual([
      ["book_room", { hotel: "Zur <nights>Krone</nights>" }],
    ]);
  });

  it("a call without brackets ends where the next one begins", () => {
    const both: Calls = [...BOOKED, ["cancel", { code: "K7" }]];
    expect(calls("book_room\n<hotel>Krone</hotel>\ncancel\n<code>K7</code>\n")).toEqual(both);
    expect(calls("book_room\n<hotel>Krone</hotel>\n<cancel><code>K7</code></cancel>")).toEqual(both);
  });

  it("a single item is unwrapped, and yes is accepted for true", () => {
    expect(calls("<book_room><hotel>Krone</hotel><nights><item>2</item></nights></book_room>")).toEqual(TWO_NIGHTS);
    expect(calls("<book_room>\nhotel: Krone\nquiet: yes\n</book_room>")).toEqual([
      ["book_room", { hotel: "Krone", quiet: true }],
    ]);
  });

  it.each([
    "An empty <cancel></cancel> element.",
    "<cancel>\n  <!-- later -->\n</cancel>",
    '<form><cancel><input name="code"></cancel></form>',
    'Put <cancel code="x"></cancel> into the page.',
    '<cancel class="wide" id="c"></cancel>',
  ])("an element without the required parameters, or in a sentence, is rejected: %s", (text) => {
    expect(calls(text)).toEqual([]);
  });

  it("an empty element is accepted if the tool requires nothing", () => {
    expect(calls("<ping></ping>")).toEqual([["ping", {}]]);
  });
});

describe("values converted by the schema", () => {
  const stay = { type: "object", properties: { room: string, beds: { type: "integer" } } };
  const tools = [
    {
      name: "quote",
      parameters: {
        type: "object",
        properties: {
          stays: { type: "array", items: stay },
          guest: { type: "object", properties: { name: string, vip: { type: "boolean" } } },
          rates: { type: "array", items: { type: "number" } },
          board: { type: "string", enum: ["full", "half"] },
        },
      },
    },
  ];
  const args = (text: string): unknown => extractToolCalls(text, { tools }).toolCalls[0]?.arguments;
  const one = { stays: [{ room: "7", beds: 2 }] };

  it("the members of one object become a list with that object", () => {
    expect(args("<quote><stays><room>7</room><beds>2</beds></stays></quote>")).toEqual(one);
    expect(args("<quote><stays><stay><room>7</room><beds>2</beds></stay></stays></quote>")).toEqual(one);
  });

  it("a repeated parameter becomes one list", () => {
    const text =
      "<quote><stays><room>7</room><beds>2</beds></stays><stays><room>9</room><beds>1</beds></stays></quote>";
    expect(args(text)).toEqual({ stays: [...one.stays, { room: "9", beds: 1 }] });
  });

  it("nested elements are parsed inside a parameter of any dialect", () => {
    const inner = "<item><room>7</room><beds>2</beds></item>";
    expect(args(`<function=quote>\n<parameter=stays>\n${inner}\n</parameter>\n</function>`)).toEqual(one);
    expect(args(`<invoke name="quote"><parameter name="stays">${inner}</parameter></invoke>`)).toEqual(one);
  });

  it("YAML becomes an object if an object is declared", () => {
    expect(args("<quote><guest>\nname: Ada\nvip: no\n</guest></quote>")).toEqual({
      guest: { name: "Ada", vip: false },
    });
  });

  it("a missing bracket is added, and whitespace around an enum value is removed", () => {
    expect(args("<quote><rates>[80, 95.5</rates></quote>")).toEqual({ rates: [80, 95.5] });
    expect(args("<quote>\n<board>\n  half\n</board>\n</quote>")).toEqual({ board: "half" });
  });
});

describe("a tool's own tag in a wrapper", () => {
  it("the wrapper is removed together with the call", () => {
    const got = extractToolCalls("Now.\n<tool_call>\n<cancel>\n<code>K7</code>\n</cancel>\n</tool_call>", {
      tools: TOOLS,
    });
    expect([got.toolCalls[0]?.arguments, got.content]).toEqual([{ code: "K7" }, "Now."]);
  });
});

describe("nearly valid JSON", () => {
  it("quoted values become what the schema declares, as they do between tags", () => {
    const call = (args: string): string => `<tool_call>{"name": "book_room", "arguments": ${args}}</tool_call>`;
    const expected: Calls = [["book_room", { hotel: "Krone", nights: 2, quiet: false }]];
    expect(calls(call('{"hotel": "Krone", "nights": "2", "quiet": "no"}'))).toEqual(expected);
    expect(calls("<book_room><hotel>Krone</hotel><nights>2</nights><quiet>no</quiet></book_room>")).toEqual(expected);
    expect(calls(call('{"hotel": "Krone", "nights": "two"}'))).toEqual([]);
  });

  it.each([
    ["curly quotes", "<tool_call>{“name”: “book_room”, “arguments”: {“hotel”: “Krone”}}</tool_call>"],
    ["repeated commas", '<tool_call>{"name": "book_room",, "arguments": {"hotel": "Krone",,}}</tool_call>'],
    ["doubled braces", '<tool_call>\n{{"name": "book_room", "arguments": {"hotel": "Krone"}}}\n</tool_call>'],
    [
      "string escapes",
      '<tool_call>{\\"name\\": \\"book_room\\", \\"arguments\\": {\\"hotel\\": \\"Krone\\"}}</tool_call>',
    ],
    [
      "a wrapper around the arguments",
      '<tool_call>{"name": "book_room", "arguments": {"params": {"hotel": "Krone"}}}</tool_call>',
    ],
    [
      "the call in its own arguments",
      '<tool_call>{"name": "book_room", "arguments": {"name": "book_room", "parameters": {"hotel": "Krone"}}}</tool_call>',
    ],
    ["an unclosed list", '[TOOL_CALLS] [{"name": "book_room", "arguments": {"hotel": "Krone"}}'],
    ["a missing tag bracket", '<function=book_room{"hotel": "Krone"}</function>'],
    ["the name in round brackets", '<function(book_room)>{"hotel": "Krone"}</function>'],
    ["a colon after the name", '<tool_call>book_room: {"hotel": "Krone"}</tool_call>'],
    ["the arguments as one object in a Python call", '<tool_call>book_room({"hotel": "Krone"})</tool_call>'],
  ])("nearly valid JSON is accepted: %s", (_what, text) => {
    expect(calls(text)).toEqual(BOOKED);
  });

  it("the complete calls of a truncated list are extracted, and the rest stays in the text", () => {
    const text = '<tool_calls>[{"name": "book_room", "arguments": {"hotel": "Krone"}}, {"name": "cancel", "argu';
    expect(calls(text)).toEqual(BOOKED);
    expect(extractToolCalls(text, { tools: TOOLS }).content).toContain('"cancel", "argu');
  });

  it("declared parameters and objects with undeclared keys are not unwrapped", () => {
    const tools = [
      { name: "run", parameters: { type: "object", properties: { input: { type: "object" }, a: string } } },
    ];
    const text = '<tool_call>{"name": "run", "arguments": {"input": {"a": "1"}}}</tool_call>';
    expect(extractToolCalls(text, { tools }).toolCalls[0]?.arguments).toEqual({ input: { a: "1" } });
    expect(calls('<tool_call>{"name": "cancel", "arguments": {"input": {"x": 1}}}</tool_call>')).toEqual([]);
    expect(
      calls('<tool_call>{"name": "book_room", "arguments": {"hotel": "Krone", "input": {"x": 1}}}</tool_call>'),
    ).toEqual([["book_room", { hotel: "Krone", input: { x: 1 } }]]);
  });
});

describe("values without a closer", () => {
  const cancel = "<tool_call>\n<function=cancel>\n<parameter=code>\n7\n</parameter>\n</function>\n</tool_call>";
  const open = "<tool_call>\n<function=book_room>\n<parameter=hotel>\nKrone\n";

  it("a value without a closer hides no call behind the closer of its wrapper", () => {
    expect(calls(`${open}</tool_call>\n${cancel}`)).toEqual([["cancel", { code: "7" }]]);
  });

  it("a value without a closer keeps the calls that it quotes", () => {
    expect(calls(`${open}As in ${cancel}\n`)).toEqual([]);
    expect(
      calls(`${open}</tool_call>\n${cancel}\n</parameter>\n</function>\n</tool_call>`).map(([name]) => name),
    ).toEqual(["book_room"]);
  });

  it("an unclosed value ends before the line break that precedes the next tag", () => {
    expect(calls('<invoke name="book_room">\n<parameter name="hotel">Krone\n</invoke>')).toEqual(BOOKED);
    expect(calls("<tool_call>book_room<arg_key>hotel</arg_key><arg_value>Krone</arg_key></tool_call>")).toEqual(BOOKED);
  });
});

describe("a value that mentions the opener of a call", () => {
  it.each([
    [
      "of its own kind",
      "<function=cancel>\n<parameter=code>\nType <function=ping> to test.\n</parameter>\n</function>",
      "Type <function=ping> to test.",
    ],
    [
      "and then quotes a call",
      "<function=cancel>\n<parameter=code>\nA <function=ping> looks so:\n<function=ping>\n</function>\n</parameter>\n</function>",
      "A <function=ping> looks so:\n<function=ping>\n</function>",
    ],
    [
      "between key and value",
      "<tool_call>cancel<arg_key>code</arg_key><arg_value>The tag <tool_call> opens it.</arg_value></tool_call>",
      "The tag <tool_call> opens it.",
    ],
  ])("a value that mentions an opener ends at its own closer: %s", (_what, text, code) => {
    expect(calls(text)).toEqual([["cancel", { code }]]);
  });

  it("a value continues to its own closer if the opener in it begins a line and is not closed", () => {
    expect(
      calls("<function=cancel>\n<parameter=code>\n<function=ping>\n</parameter>\n</function>\n</tool_call>"),
    ).toEqual([]);
  });
});

describe("fenced blocks", () => {
  const block = (hotel: string): string =>
    `\`\`\`json\n{"name": "book_room", "arguments": {"hotel": "${hotel}"}}\n\`\`\``;

  it("consecutive blocks at the end of a message are all calls", () => {
    expect(calls(`Both:\n\n${block("Krone")}\n\n${block("Post")}\n`)).toEqual([
      ...BOOKED,
      ["book_room", { hotel: "Post" }],
    ]);
  });

  it("consecutive blocks are not calls if text or another kind of block follows", () => {
    expect(calls(`${block("Krone")}\n${block("Post")}\nBoth are examples.`)).toEqual([]);
    expect(calls(`${block("Krone")}\n\`\`\`json\n{"booked": true}\n\`\`\``)).toEqual([]);
  });

  it("a fenced ReAct input is accepted unless text follows", () => {
    const react = 'Action: book_room\nAction Input:\n```json\n{"hotel": "Krone"}\n```\n';
    expect(calls(react)).toEqual(BOOKED);
    expect(calls(`${react}That is how it is written.`)).toEqual([]);
  });
});

describe("ReAct with bold labels", () => {
  it("a call is extracted, and meeting minutes in the same style are not", () => {
    expect(calls('**Action**: book_room\n**Action Input**: {"hotel": "Krone"}')).toEqual(BOOKED);
    expect(calls("**Action:** cancel\n**Action Input:** none yet")).toEqual([]);
  });
});

describe("tags and frames that lost something", () => {
  const tools = [
    {
      name: "Glob",
      parameters: { type: "object", properties: { pattern: { type: "string" } }, required: ["pattern"] },
    },
    {
      name: "set_light",
      parameters: { type: "object", properties: { room: { type: "string" }, on: { type: "boolean" } } },
    },
    {
      name: "wait",
      parameters: { type: "object", properties: { seconds: { type: "integer" } }, required: ["seconds"] },
    },
  ];
  const read = (text: string) => {
    const { content, toolCalls } = extractToolCalls(text, { tools });
    return { content, calls: toolCalls.map((call) => [call.name, call.arguments]) };
  };

  it.each([
    ["attribute", 'invoke name="Glob">\n<parameter name="pattern">*.md</parameter>\n</invoke>\n</minimax:tool_call>'],
    ["value", "function=Glob>\n<parameter=pattern>*.md</parameter>\n</function>"],
    ["value in a wrapper", "<tool_call>function=Glob>\n<parameter=pattern>*.md</parameter>\n</function>\n</tool_call>"],
  ])("a tag without its first bracket is read: name as %s", (_what, text) => {
    expect(read(text)).toEqual({ content: "", calls: [["Glob", { pattern: "*.md" }]] });
  });

  it.each([
    ["on its own line", "<tool_call>Glob\npattern</arg_key>\n<arg_value>*.md</arg_value>\n</tool_call>"],
    ["behind a blank", "<tool_call>Glob pattern</arg_key><arg_value>*.md</arg_value></tool_call>"],
    ["glued to the name", "<tool_call>Globpattern</arg_key><arg_value>*.md</arg_value></tool_call>"],
    ["opened again", "<tool_call>Glob</arg_key><arg_key>pattern</arg_key><arg_value>*.md</arg_value></tool_call>"],
  ])("a key that lost its opening tag is read: %s", (_where, text) => {
    expect(read(text)).toEqual({ content: "", calls: [["Glob", { pattern: "*.md" }]] });
  });

  it("a later key that lost its opening tag is read if the tool declares it", () => {
    const first = "<arg_key>room</arg_key><arg_value>attic</arg_value>";
    const call = (key: string): string =>
      `<tool_call>set_light\n${first}${key}</arg_key><arg_value>true</arg_value></tool_call>`;
    expect(read(call("on")).calls).toEqual([["set_light", { room: "attic", on: true }]]);
    expect(read(call("dim")).calls).toEqual([]);
    expect(read(call("room")).calls).toEqual([]);
  });

  it.each([
    [
      "function",
      "<tool_call>\n",
      "<function=Glob>",
      "\n<parameter=pattern>*.md</parameter>\n</function>\n</tool_call>",
    ],
    ["arguments in JSON", "<tool_call>", "<function=Glob>", '{"pattern": "*.md"}</function></tool_call>'],
    [
      "invoke",
      "<function_calls>\n",
      '<invoke name="Glob">\n',
      '<parameter name="pattern">*.md</parameter>\n</invoke>\n</function_calls>',
    ],
  ])("an opener inside a wrapper that is written twice opens one call: %s", (_what, wrapper, opener, rest) => {
    const expected = { content: "Looking.", calls: [["Glob", { pattern: "*.md" }]] };
    expect(read(`Looking.\n${wrapper}${opener}${opener}${rest}`)).toEqual(expected);
    expect(read(`Looking.\n${wrapper}${opener}${opener}${opener}${rest}`)).toEqual(expected);
  });

  it("a value whose key was lost makes no call", () => {
    const text = "<tool_call>set_light</arg_key><arg_value>attic</arg_value></tool_call>";
    expect(read(text)).toEqual({ content: text, calls: [] });
  });

  it.each(["6a1f", "opensource"])("tags with an id behind a colon are read: %s", (id) => {
    const pair = `<arg_key:${id}>pattern</arg_key:${id}>\n<arg_value:${id}>*.md</arg_value:${id}>`;
    const call = `<tool_call:${id}>Glob<tool_sep:${id}>\n${pair}\n</tool_call:${id}>`;
    const both = [
      ["Glob", { pattern: "*.md" }],
      ["Glob", { pattern: "*.md" }],
    ];
    expect(read(`<tool_calls:${id}>\n${call}\n</tool_calls:${id}>`)).toEqual({ content: "", calls: both.slice(1) });
    expect(read(`Looking.\n<tool_calls:${id}>\n${call}\n${call}\n</tool_calls:${id}>`).calls).toEqual(both);
  });

  it("a call in braces that lost the word before its colon is read", () => {
    const text = '<|tool_call>:set_light{room:<|"|>attic<|"|>,on:true}<tool_call|>';
    expect(read(text)).toEqual({ content: "", calls: [["set_light", { room: "attic", on: true }]] });
  });

  it("a list that ends with the wrong bracket is read", () => {
    const glob = '{"name": "Glob", "arguments": {"pattern": "*.md"}}';
    for (const text of [`[${glob}}`, `<tool_call>[${glob}}</tool_call>`, `[TOOL_CALLS][${glob}, ${glob}}`])
      expect(read(text).calls).toEqual(Array(text.split("Glob").length - 1).fill(["Glob", { pattern: "*.md" }]));
    expect(read(`Data: [${glob}} and more`).calls).toEqual([]);
  });

  it("the elements of a tool that calls other tools are its parameters if it declares them", () => {
    const parameters = {
      type: "object",
      properties: { server_name: {}, tool_name: {}, arguments: { type: "object" } },
    };
    const text =
      '<use_mcp_tool>\n<server_name>files</server_name>\n<tool_name>list</tool_name>\n<arguments>\n{"dir": "a"}\n</arguments>\n</use_mcp_tool>';
    const { toolCalls } = extractToolCalls(text, { tools: [...tools, { name: "use_mcp_tool", parameters }] });
    const args = { server_name: "files", tool_name: "list", arguments: { dir: "a" } };
    expect(toolCalls.map((call) => [call.name, call.arguments])).toEqual([["use_mcp_tool", args]]);
  });

  it("a tag without its first bracket is text if the tool is not declared", () => {
    const text = 'invoke name="rm">\n<parameter name="pattern">*</parameter>\n</invoke>';
    expect(read(text)).toEqual({ content: text, calls: [] });
  });

  it("a recipient at the start of a line is text unless it is a declared tool", () => {
    for (const text of ['to=nobody {"pattern": "a"}', "to=Glob and from=here", 'see to=Glob {"pattern": "a"} there'])
      expect(read(text)).toEqual({ content: text, calls: [] });
  });

  it("argument blocks need a declared tool, and the end of each argument", () => {
    for (const name of ["rm\nBEGIN_ARG: pattern\na\nEND_ARG", "Glob\nBEGIN_ARG: pattern\na\n"]) {
      const text = `\`\`\`tool\nTOOL_NAME: ${name}\n\`\`\``;
      expect(read(text)).toEqual({ content: text, calls: [] });
    }
  });

  it("a component with an object in braces is text", () => {
    const text = "<tool_call {...props}>x</tool_call>";
    expect(read(text).calls).toEqual([]);
  });

  it("Gemini's call in a tag is read", () => {
    const text = '<call:default_api:set_light{room:"attic",on:true}/>';
    expect(read(text)).toEqual({ content: "", calls: [["set_light", { room: "attic", on: true }]] });
  });

  it("MiniMax's turn marks before a call are removed with it", () => {
    const call =
      '<minimax:tool_call>\n<invoke name="Glob"><parameter name="pattern">a</parameter></invoke>\n</minimax:tool_call>';
    expect(read(`Looking now.[e~[\n]~b]ai\n${call}[e~[`)).toEqual({
      content: "Looking now.",
      calls: [["Glob", { pattern: "a" }]],
    });
    expect(read("Nothing to do.[e~[\n]~b]ai\n").content).toBe("Nothing to do.[e~[\n]~b]ai\n");
  });

  it("no call is accepted in a turn that MiniMax invents for the user", () => {
    const text = ']~b]user\n<invoke name="Glob"><parameter name="pattern">a</parameter></invoke>';
    expect(read(text).calls).toEqual([]);
  });

  it("a quoted number is a number where the tool takes no text", () => {
    expect(read('<function=wait><parameter=seconds>"5"</parameter></function>').calls).toEqual([
      ["wait", { seconds: 5 }],
    ]);
  });
});

describe("a call that was laid out", () => {
  const qwen = (indent: string, value: string): string =>
    `<function=book_room>\n${indent}<parameter=hotel>\n${value}\n${indent}</parameter>\n</function>`;

  it.each([
    ["indented as far as its closer", "  ", "  Krone", "Krone"],
    ["indented further than its closer", "  ", "    Krone", "Krone"],
    ["indented with tabs", "\t", "\t\tKrone", "Krone"],
    ["indented over lines, keeping what is inside", "  ", "  Krone\n\n    Post", "Krone\n\n  Post"],
    ["not indented although its closer is", "  ", "Krone", "Krone\n  "],
    ["indented although its closer is not", "", "  Krone", "  Krone"],
  ])("a call is read if its value is %s", (_what, indent, value, hotel) => {
    expect(calls(qwen(indent, value))).toEqual([["book_room", { hotel }]]);
  });

  it("a call that is indented as a whole is read", () => {
    const text =
      "<tool_call>\n<function=book_room>\n<parameter=hotel>\nKrone\n</parameter>\n<parameter=nights>\n2\n</parameter>\n</function>\n</tool_call>";
    expect(calls(text.replace(/^/gm, "  "))).toEqual(TWO_NIGHTS);
  });
});

describe("what surrounds a call", () => {
  const bare = '{"name": "book_room", "arguments": {"hotel": "Krone"}}';

  it.each([
    ["a byte order mark", `\ufeff${bare}`],
    ["an invisible blank", `\u200b${bare}`],
    ["a blank that does not break", `\u00a0${bare}`],
    ["an answer around a fence", `<answer>\n\`\`\`json\n${bare}\n\`\`\`\n</answer>`],
    ["a note behind it, with line ends of Windows", `${bare}\r\n\r\nLet me wait for the result.`],
    [
      "the model's turn before a thought",
      '<|im_start|>assistant\nThought: book\nAction:\n```\n{"action": "book_room", "action_input": {"hotel": "Krone"}}\n```',
    ],
    [
      "the end of a turn in place of the closers",
      '<invoke name="book_room">\n<parameter name="hotel">Krone</parameter><end_of_turn>',
    ],
  ])("surrounding text does not hide a call: %s", (_what, text) => {
    expect(calls(text)).toEqual(BOOKED);
  });

  it("an answer's frame is no call if text follows it", () => {
    expect(calls(`<answer>\n\`\`\`json\n${bare}\n\`\`\`\n</answer>\nThat is the format.`)).toEqual([]);
  });

  it("a draft in Hermes' scratch pad is no call", () => {
    const call = `<tool_call>${bare}</tool_call>`;
    expect(calls(`<scratch_pad>\nMaybe ${call.replace("Krone", "Post")}\n</scratch_pad>\n${call}`)).toEqual(BOOKED);
  });

  it("a fence holds all of its calls", () => {
    const two =
      "<function=ping>\n</function>\n<function=book_room>\n<parameter=hotel>\nKrone\n</parameter>\n</function>";
    const both: Calls = [["ping", {}], ...BOOKED];
    expect(calls(`\`\`\`xml\n<tool_call>\n${two}\n</tool_call>\n\`\`\``)).toEqual(both);
    expect(calls(`\`\`\`\n${two}\n\`\`\``)).toEqual(both);
    expect(calls(`\`\`\`xml\n${two}\n\`\`\`\nThat is the format.`)).toEqual([]);
  });

  it("a call whose line ends the thinking is a draft if an answer follows", () => {
    expect(calls('[THINK]Let me book:\n\n>>>book_room\n{"hotel": "Krone"}[/THINK]\n\nIt is booked.')).toEqual([]);
  });

  it("Functionary's calls may follow one another on one line", () => {
    expect(calls('>>>book_room\n{"hotel": "Krone"}>>>ping\n{}')).toEqual([...BOOKED, ["ping", {}]]);
  });
});
