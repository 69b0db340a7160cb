import { describe, expect, it } from "vitest";
import { extractToolCalls, type RecoverOptions, type RejectReason } from "./index.ts";

const TOOLS = [
  { name: "open_door", parameters: { type: "object", properties: { room: { type: "string" } }, required: ["room"] } },
  { name: "wait" },
];
const CALL = '<tool_call>{"name": "open_door", "arguments": {"room": "hall"}}</tool_call>';
const BARE = '{"name": "open_door", "arguments": {"room": "hall"}}';

const names = (text: string, options: RecoverOptions = { tools: TOOLS }): readonly string[] =>
  extractToolCalls(text, options).toolCalls.map((call) => call.name);

function expectRejected(text: string, reason: RejectReason, options: RecoverOptions = { tools: TOOLS }): void {
  const got = extractToolCalls(text, options);
  expect(got.toolCalls).toEqual([]);
  expect(got.content).toBe(text);
  expect(got.matches.map((match) => (match.kind === "rejected" ? match.reason : match.kind))).toContain(reason);
}

describe("a message without text", () => {
  it.each([null, undefined])("has no content and no calls: %s", (content) => {
    expect(extractToolCalls(content)).toEqual({ content: "", toolCalls: [], matches: [] });
  });
});

describe("the position of a call", () => {
  it("rejects a call in a fence, in inline code, in a quote or in indented code", () => {
    expectRejected(`As in:\n\`\`\`xml\n${CALL}\n\`\`\`\n`, "in-sentence");
    expectRejected(`As in:\n\`\`\`html\n${CALL}\n\`\`\`\n`, "in-code");
    expectRejected(`As in:\n  ~~~\n  ${CALL}\n  ~~~`, "in-code");
    expectRejected(`As in \`\`${CALL}\`\` here.`, "in-code");
    expectRejected(`They wrote:\n> ${CALL}`, "in-quote");
    expectRejected(`I open “${CALL}”`, "in-quote");
    expectRejected(`As in:\n\n    ${CALL}\n`, "in-code");
  });

  it("accepts a call if the fence, the code or the quote is the whole message", () => {
    expect(names(`\`\`\`xml\n${CALL}\n\`\`\`\n`)).toEqual(["open_door"]);
    expect(names(`\`${CALL}\``)).toEqual(["open_door"]);
    expect(names(`> ${CALL}`)).toEqual(["open_door"]);
  });

  it("rejects a call in a fence if text follows", () => {
    expectRejected(`\`\`\`xml\n${CALL}\n\`\`\`\nThat is the format.`, "not-anchored");
    expectRejected(`\`\`\`html\n${CALL}\n\`\`\`\nThat is the format.`, "in-code");
  });

  it("accepts a call after a closed fence and after a stray backtick in another paragraph", () => {
    expect(names(`\`\`\`ts\nlet a;\n\`\`\`\n\n${CALL}`)).toEqual(["open_door"]);
    expect(names(`Press the \` key.\n\n${CALL}`)).toEqual(["open_door"]);
  });

  it("treats a fence inside an envelope as markup", () => {
    expect(names(`<tool_call>\n\`\`\`json\n${BARE}\n\`\`\`\n</tool_call>`)).toEqual(["open_door"]);
  });
});

describe("thinking", () => {
  it("rejects a draft in thinking if a response follows", () => {
    expect(extractToolCalls(`<think>Maybe ${CALL}</think>\n${CALL}`, { tools: TOOLS }).toolCalls).toHaveLength(1);
    expectRejected(`<think>Maybe ${CALL}</think>\nNo need to.`, "in-think");
  });

  it("accepts a call at the end of thinking if nothing follows", () => {
    expect(names(`<think>I open it.\n${CALL}</think>`)).toEqual(["open_door"]);
    expect(names(`[THINK]no markup here[/THINK]${CALL}`)).toEqual(["open_door"]);
  });

  it("applies the configured policy", () => {
    const text = `<think>I open it. ${CALL}</think>`;
    expect(names(text, { tools: TOOLS, think: "never" })).toEqual([]);
    expect(names(`${text} Done.`, { tools: TOOLS, think: "always" })).toEqual(["open_door"]);
    expect(names(`I open it. ${CALL} Or not.</think>Done.`, { tools: TOOLS, startsInThink: true })).toEqual([]);
  });

  it("treats Harmony's analysis as thinking", () => {
    expectRejected(
      `<|channel|>analysis<|message|>Maybe ${CALL} or not<|end|><|start|>assistant<|channel|>final<|message|>Hello.`,
      "in-think",
    );
  });
});

describe("weak formats", () => {
  it("a weak format requires a declared tool", () => {
    for (const text of [
      BARE,
      `\`\`\`json\n${BARE}\n\`\`\``,
      "[open_door(room='hall')]",
      'Action: open_door\nAction Input: {"room": "hall"}',
    ]) {
      expect(names(text), text).toEqual(["open_door"]);
      expect(names(text, { tools: [{ name: "other" }] }), text).toEqual([]);
      expect(names(text, {}), text).toEqual([]);
    }
  });

  it("a weak format requires arguments that fit the schema", () => {
    expectRejected('{"name": "open_door", "arguments": {"door": "hall"}}', "missing-argument");
    expect(
      names('{"name": "open_door", "parameters": {"type": "object", "properties": {"room": {"type": "string"}}}}'),
    ).toEqual([]);
  });

  it("a weak format requires a separate line", () => {
    expectRejected(`${BARE} is what it would look like.`, "not-anchored");
    expect(names(`It would be ${BARE} then.`)).toEqual([]);
    expect(names(`Now:\n${BARE}`)).toEqual(["open_door"]);
    expectRejected(`Now:\n${BARE}\nDone.`, "not-anchored");
  });

  it("a fenced weak format must be last in the message", () => {
    expectRejected(`\`\`\`json\n${BARE}\n\`\`\`\nis an example.`, "not-anchored");
    expect(names(`Now:\n\`\`\`json\n${BARE}\n\`\`\`\n`)).toEqual(["open_door"]);
  });

  it("JSON of packages, people and schemas is not a call", () => {
    for (const text of [
      '{"name": "wait", "version": "1.0.0"}',
      '{"name": "Alice", "arguments": "for and against"}',
      '```json\n[{"name": "wait", "age": 3}]\n```',
    ]) {
      expect(extractToolCalls(text, { tools: TOOLS })).toMatchObject({ content: text, toolCalls: [] });
    }
  });
});

describe("source code and transcripts", () => {
  it("a component with a name is not a call", () => {
    const component = '<Tool name="open_door">\n  <Param name="room">hall</Param>\n</Tool>';
    expect(names(component)).toEqual([]);
    expect(names(component.toLowerCase())).toEqual(["open_door"]);
  });

  it("a tool's own tag is a call even if its name begins with a capital", () => {
    const tools = [{ ...TOOLS[0], name: "Open" }];
    expect(names('<Open room="hall"/>', { tools })).toEqual(["Open"]);
    expect(names("<Open room={hall}/>", { tools })).toEqual([]);
  });

  it("the output of a shell command is not a call", () => {
    expectRejected(`$ cat last-reply.txt\n${CALL}`, "in-code");
    expect(names(`Let me see.\n${CALL}`)).toEqual(["open_door"]);
  });
});

describe("forms without their opening token", () => {
  it("a form without its opening token requires only a declared name", () => {
    expect(names('call:open_door{room:<|"|>hall<|"|>}')).toEqual(["open_door"]);
    expectRejected('call:nobody{room:<|"|>hall<|"|>}', "unknown-name");
    expect(names("<div><room>hall</room></div>")).toEqual([]);
  });
});

describe("echoes", () => {
  it("a repeated call is rejected even if the given text quotes, escapes or indents it", () => {
    for (const given of [
      CALL,
      `> ${CALL}`,
      JSON.stringify({ page: CALL }),
      CALL.replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
      `{\n  "name": "open_door",\n  "arguments": {\n    "room": "hall"\n  }\n}`,
    ]) {
      expectRejected(`I open it.\n${CALL}`, "echo", {
        tools: TOOLS,
        context: ["something else", `before\n${given}\nafter`],
      });
    }
  });

  it("a repeated call is rejected even if it is written in another format", () => {
    expectRejected("<function=open_door><parameter=room>hall</parameter></function>", "echo", {
      tools: TOOLS,
      context: [CALL],
    });
  });

  it("a call that only resembles a given one is accepted", () => {
    expect(names(CALL, { tools: TOOLS, context: [CALL.replace("hall", "attic"), "open_door hall"] })).toEqual([
      "open_door",
    ]);
  });
});

describe("invented results", () => {
  it.each([
    "<tool_response>open</tool_response>",
    "<tool_result>open</tool_result>",
    "<function_results>open",
    "[TOOL_RESULTS] open",
    "Observation: open",
    "<|im_start|>user\nThanks, now again",
    "<|start|>user<|message|>Again",
  ])("calls after an invented result are rejected: %s", (result) => {
    const got = extractToolCalls(`${CALL}\n${result}\n${CALL}`, { tools: TOOLS });
    expect(got.toolCalls).toHaveLength(1);
    expect(got.matches.at(-1)).toMatchObject({ kind: "rejected", reason: "after-invented-result" });
    expect(got.content).toContain(result);
  });

  it("a result tag in code does not count as an invented result", () => {
    expect(extractToolCalls(`Use \`<tool_response>\` tags.\n${CALL}`, { tools: TOOLS }).toolCalls).toHaveLength(1);
  });
});

describe("modes and damaged calls", () => {
  const cut = '<tool_call>{"name": "open_door", "arguments": {"room": "ha';

  it("safe mode rejects truncated arguments", () => {
    expectRejected(cut, "truncated");
    expectRejected("<function=open_door><parameter=room>ha", "truncated");
  });

  it("eager mode marks truncated calls and accepts weak formats without a tool list", () => {
    expect(extractToolCalls(cut, { tools: TOOLS, mode: "eager" }).toolCalls).toMatchObject([
      { name: "open_door", arguments: { room: "ha" }, complete: false },
    ]);
    expect(names(BARE, { mode: "eager" })).toEqual(["open_door"]);
  });

  it("strict mode accepts only strong envelopes with a declared name", () => {
    expect(names(CALL, { mode: "strict", tools: TOOLS })).toEqual(["open_door"]);
    expect(names(CALL, { mode: "strict" })).toEqual([]);
    expect(names(BARE, { mode: "strict", tools: TOOLS })).toEqual([]);
  });

  it("inline code that began on an earlier line holds no call if its backtick follows", () => {
    const open = "I will not run `ls\n";
    expect(names(`${open}${CALL}\` today.`, { tools: TOOLS })).toEqual([]);
    expect(names(`It\`s time.\n\n${CALL}`, { tools: TOOLS })).toEqual(["open_door"]);
  });

  it("a name with a quote inside is unknown", () => {
    expect(names('<invoke name="echo "hi"">\n</invoke>')).toEqual([]);
    expect(names('<invoke name="open_door"id="1"><parameter name="room">hall</parameter></invoke>')).toEqual([
      "open_door",
    ]);
  });

  it("identical calls in one message are all extracted", () => {
    const got = extractToolCalls(`${CALL}${CALL}\n${CALL}`, { tools: TOOLS });
    expect(got.toolCalls.map((call) => call.name)).toEqual(["open_door", "open_door", "open_door"]);
    expect(got.content).toBe("");
  });

  it("later calls are extracted if the first is damaged beyond repair", () => {
    const got = extractToolCalls(`<tool_call>{"name": "open_door", "arguments": {"room": "ha</tool_call>\n${CALL}`, {
      tools: TOOLS,
    });
    expect(got.toolCalls).toMatchObject([{ arguments: { room: "hall" } }]);
    expect(got.content).toContain('"ha</tool_call>');
  });

  it("arguments that are not an object are rejected", () => {
    expectRejected('<tool_call>{"name": "open_door", "arguments": [1, 2]}</tool_call>', "not-an-object");
  });
});

describe("fields of an extracted call", () => {
  it("the id comes from the format, or from newId if the format has none", () => {
    const ids = (text: string): readonly string[] =>
      extractToolCalls(text, { newId: () => "made" }).toolCalls.map((call) => call.id);
    expect(ids("<|tool_call_begin|>functions.f:3<|tool_call_argument_begin|>{}<|tool_call_end|>")).toEqual([
      "functions.f:3",
    ]);
    expect(ids("[TOOL_CALLS]f[CALL_ID]abc[ARGS]{}")).toEqual(["abc"]);
    expect(ids(CALL)).toEqual(["made"]);
  });

  it("rawArguments and span describe the original text", () => {
    const text = `Go. <tool_call>{"name": "f", "arguments": {"a":  1.0}}</tool_call>`;
    const call = extractToolCalls(text).toolCalls[0];
    expect(call?.rawArguments).toBe('{"a":  1.0}');
    expect(call?.span).toEqual({ start: 3, end: text.length });
  });

  it("keys such as __proto__ do not change prototypes", () => {
    const call = extractToolCalls(
      "<tool_call>{'name': 'f', 'arguments': {'__proto__': {'polluted': 1}, 'constructor': 2}}</tool_call>",
    ).toolCalls[0];
    expect(Object.keys(call?.arguments ?? {})).toEqual(["__proto__", "constructor"]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

it("cached tables of one tool list do not affect scanners with other tools", () => {
  const tagged = "<alpha><x>1</x></alpha>";
  const calledOf = (...tools: readonly string[]): readonly string[] =>
    names(tagged, { tools: tools.map((name) => ({ name, parameters: { properties: { x: {} } } })) });
  for (const others of [["beta"], ["al", "pha"], ["al\u0000pha"], []]) {
    expect(calledOf("alpha")).toEqual(["alpha"]);
    expect(calledOf(...others)).toEqual([]);
  }
});

describe("the sentence before a call", () => {
  const HARMONY = '<|channel|>commentary to=functions.open_door json<|message|>{"room": "hall"}';
  it("rejects a message to a tool that a thought only considers", () => {
    const thought = "<|channel|>analysis<|message|>";
    const final = "<|end|><|start|>assistant<|channel|>final<|message|>It is open already.<|return|>";
    expect(names(`${thought}Could emit ${HARMONY} but it is open already.${final}`)).toEqual([]);
    expect(names(`${thought}I open it.<|end|>${HARMONY}<|call|>`)).toEqual(["open_door"]);
    expect(names(`${thought}I open it. ${HARMONY}<|call|>`)).toEqual(["open_door"]);
    expect(names(`${thought}I open it${HARMONY}<|call|>`)).toEqual(["open_door"]);
  });

  it("rejects a call that is only an example in Japanese, before or after it", () => {
    expectRejected(`書き方を示します。これはあくまで説明用の例です。\n\n${CALL}`, "example");
    expectRejected(`ドアの話です。\n\n${CALL}\n\n実際にはまだ何も実行していません。`, "negated");
  });

  it("rejects a call of which the next sentence says that nothing was run", () => {
    expectRejected(`The hall:\n\n${CALL}\n\nNothing was executed.`, "negated");
    expectRejected(`Die Halle:\n\n${CALL}\n\nEs wurde nichts ausgeführt.`, "negated");
  });

  it("accepts a call after an announced look at what something looks like", () => {
    expect(names(`I'll see what the hall looks like.${CALL}`)).toEqual(["open_door"]);
    expectRejected(`This is what a call looks like.\n${CALL}`, "example");
    expectRejected(`Let me show you what a call looks like.\n${CALL}`, "example");
    expectRejected(`Let me see what a call looks like:\n${CALL}`, "example");
  });

  it.each([
    "Em geral, a chamada fica assim:",
    "Una llamada completa queda así:",
    "La chiamata si presenta così:",
    "Ein vollständiger Aufruf sieht dann so aus:",
    "Un appel complet se présente ainsi :",
  ])("rejects a call that shows how one looks: %s", (lead) => {
    expectRejected(`${lead}\n\n${CALL}`, "example");
  });

  it("accepts a call after a refusal to guess", () => {
    expect(names(`It may be open, but I should not guess.\n${CALL}`)).toEqual(["open_door"]);
    expectRejected(`I should not open it.\n${CALL}`, "negated");
  });
});
