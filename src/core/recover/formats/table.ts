import type { PayloadName } from "../payload/registry.ts";

export type { PayloadName };

/**
 * How much the opener alone proves. `strong`: nothing else writes it, any name passes. `named`: the name must be
 * declared. `weak`: declared, anchored, and the arguments must fit the schema.
 */
export type Strength = "strong" | "named" | "weak";

/**
 * One format: an envelope and its possible payloads. Rows may share an opener; the first row whose payload recognizes
 * the body is used. A row contains no code: the scanner finds openers, the payloads find ends, and closers are consumed
 * wherever they occur.
 *
 * @example
 * const acme: FormatRow = { format: "acme", openers: ["<<CALL>>"], closers: ["<<END>>"], payloads: ["json"], strength: "strong" };
 */
export interface FormatRow {
  readonly format: string;
  /**
   * As on the wire. Tags and special tokens match in any case, with any bars and spaces; `f` after `=` or in a `name=`
   * is a placeholder for the tool's name.
   */
  readonly openers: readonly string[];
  /** In addition to the closers of tags, `</f>` for `<f>`. */
  readonly closers?: readonly string[];
  readonly payloads: readonly PayloadName[];
  readonly strength: Strength;
  /** `line`: only as the first thing on a line. */
  readonly anchor?: "anywhere" | "line";
  /** The opener is the beginning of the body (`{`, `functools[`). */
  readonly bare?: boolean;
  /** Words that may directly precede the opener and are removed with it. */
  readonly leads?: readonly string[];
  /** Calls inside are of this format, whatever their own tags say. */
  readonly outer?: boolean;
  /** Values are decoded when they are clearly entity-encoded. */
  readonly entities?: boolean;
  /** Only when nothing visible follows in the message. */
  readonly last?: boolean;
  /** In source code the same is a component: an expression in its attributes shows it. */
  readonly jsx?: boolean;
  /** Words that may be alone on the line before the opener and are removed with it. */
  readonly strays?: readonly string[];
  /** Separators in the body that only another format has, which shares the opener: the format by the separator's key. */
  readonly separators?: Readonly<Record<string, string>>;
  /** How a message begins that the model addresses to itself, and the keys that end it. */
  readonly thoughts?: readonly { readonly begin: string; readonly ends: readonly string[] }[];
}

/**
 * Rows without an opener of their own: the names of the request's tools open them. `tag`: `<f>`. `tagLine`: `f` alone on
 * its line, as a tag that lost its brackets. `fence`: a fence called `f`. `callLine`: `f({…})`. `nameLine`: `f` and its
 * arguments on the next line. `headless`: `f` and a tag or mark that only occurs inside an envelope, whose opener is lost.
 */
export const TOOL_ROWS = {
  tag: tagRow("elements"),
  tagLine: tagRow("markup"),
  fence: { format: "fenced-call", openers: [], closers: ["```"], payloads: ["markup"], strength: "weak", last: true },
  callLine: {
    format: "call-line",
    openers: [],
    closers: ["```"],
    payloads: ["call-line"],
    strength: "weak",
    bare: true,
  },
  nameLine: { format: "functionary", openers: [], payloads: ["functionary"], strength: "named" },
  headless: { format: "glm-xml", openers: [], payloads: ["named", "headed"], strength: "named", bare: true },
} as const satisfies Record<string, FormatRow>;

function tagRow(payload: PayloadName): FormatRow {
  return { format: "tag-per-tool", openers: [], payloads: [payload], strength: "named", entities: true, jsx: true };
}

/** JSON, markup and everything between: what a general call tag may hold. */
const ANY = ["json", "nested", "name-element", "named", "pythonic"] as const;

/** The spellings of a label: as written, capitalized, in title case, and in capitals. */
function anyCase(labels: readonly string[]): readonly string[] {
  const spellings = labels.flatMap((label) => [
    label,
    label.replace(/[a-z]/, (letter) => letter.toUpperCase()),
    label.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase()),
    label.toUpperCase(),
  ]);
  return [...new Set(spellings)];
}

const CALL_LABELS = [
  ...["tool call", "tool_call", "tool use", "tool_use", "function call", "function_call", "toolcall", "tool_calls"],
];

/** Labels in a bracket, as proxies write calls into a history: `[Tool Use: f …]`, `[Called f …]`, `[tool_call] f …`. */
const BRACKETS = anyCase([
  ...[...CALL_LABELS, "tool", "function", "invoke", "action", "call"].map((label) => `[${label}:`),
  ...["using tool", "calling tool", "called tool", "calling function"].map((label) => `[${label}:`),
  ...["called", "calling", "using", "using tool", "calling tool", "called tool"].map((label) => `[${label} `),
  ...CALL_LABELS.map((label) => `[${label}]`),
]);

/** Labels before a call on its line. */
const LABELS = anyCase([
  ...["tool call:", "tool_call:", "tool use:", "function call:", "function_call:", "calling tool:", "using tool:"],
  ...["tool:", "**tool:**", "**tool**:", "function:", "**function:**", "tool name:", "function name:"],
  ...["calling", "using", "invoking"].flatMap((verb) => [
    `${verb} \``,
    `${verb} the \``,
    `${verb} tool \``,
    `${verb} the tool \``,
  ]),
]);

/** Keys of the name where a call is written in YAML. */
const YAML_NAMES = ["tool:", "name:", "tool_name:", "function:"];

/** What models call a fence around a call. */
export const CALL_FENCE_NAMES: readonly string[] = [
  ...["tool_call", "tool_calls", "toolcall", "tool_use", "tool_request", "tool", "tools", "function_call", "function"],
];
const CALL_FENCES = CALL_FENCE_NAMES.map((info) => `\`\`\`${info}`);

/** ReAct as its paper writes it numbers the steps. */
export const STEPS: readonly string[] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

/** Tokens that end a turn. Behind a call they are removed with it. */
export const TURN_ENDS = [
  ...[
    "<|im_end|>",
    "<｜end▁of▁sentence｜>",
    "<|eot_id|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<end_of_turn>",
    "<ctrl42>",
  ],
  ...[
    "<start_function_response>",
    "<|end_of_turn|>",
    "<|return|>",
    "<|end_of_msg|>",
    "<|close|>message<|sep|>",
    "[e~[",
    "[|endofturn|]",
  ],
];

/** Words that Claude Code leaks have on the line before the call. */
const STRAYS = ["court", "call", "count"];

/** The tokens that end a message to the model itself. */
export const SELF_ENDS: readonly string[] = ["|eom|", "|eot|", "|start|"];

type Row = Omit<FormatRow, "strength">;

/** A row: its format, its openers, what the body may be, and the columns that few rows have. */
function row(
  format: string,
  openers: readonly string[],
  payloads: readonly PayloadName[],
  columns: Omit<Row, "format" | "openers" | "payloads"> = {},
): Row {
  return { format, openers, payloads, ...columns };
}

/** Formats that nothing else writes. */
const STRONG: readonly Row[] = [
  row(
    "hermes-json",
    ["<tool_call>", '<tool_call id="x">', "<tool_code>", "<tool_use>", "<tool-call>", "<tool-use>"],
    ["json", "nested", "name-element", "pythonic", "braces", "yaml"],
  ),
  row("glm-xml", ["<tool_call>", "<tool-call>"], ["lost-bracket", "named"], { separators: { tool_sep: "hy-v3" } }),
  row("tools-tag", ["<tools>"], ["json", "nested"]),
  row("hunyuan-tool_calls", ["<tool_calls>", "<tool-calls>"], ["json", "nested", "name-element", "pythonic"]),
  row("function_call-tag", ["<function_call>", "<function-call>"], ANY),
  row("function-tag", ["<function>"], ["json", "nested", "name-element"]),
  row("longcat", ["<longcat_tool_call>"], ["json", "nested", "named"], { outer: true }),
  row(
    "deepseek-v3",
    ["<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>"],
    ["nested", "json", "headed"],
    {
      closers: ["<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>"],
      separators: { "|tool_call_argument_begin|": "kimi-k2", "|tool_sep|": "deepseek-v3" },
    },
  ),
  row("kimi-k2", ["<|tool_calls_section_begin|>", "<|tool_call_section_begin|>"], ["nested", "headed"], {
    closers: ["<|tool_call_end|>", "<|tool_calls_section_end|>", "<|tool_call_section_end|>"],
    outer: true,
  }),
  row("lm-studio", ["[TOOL_REQUEST]"], ["json"], { closers: ["[END_TOOL_REQUEST]"] }),
  row("llama-python-tag", ["<|python_tag|>"], ["json", "pythonic"], { closers: ["<|eom_id|>", "<|eot_id|>"] }),
  row("harmony", ["<|channel|>", "<|start|>"], ["recipient"], {
    closers: ["<|call|>", "<|end|>", "<|eom|>", "<|eot|>"],
    thoughts: [
      { begin: "analysis", ends: ["|end|", "|call|", "|return|", "|start|", "|channel|"] },
      { begin: "assistant to=self", ends: SELF_ENDS },
    ],
  }),
  row("cohere", ["<|START_ACTION|>"], ["json"], { closers: ["<|END_ACTION|>", "<|END_OF_TURN_TOKEN|>"] }),
  row("granite", ["<|tool_call|>"], ["json", "pythonic"], { closers: ["<|end_of_text|>", "<|/tool_call|>"] }),
  row("phi4", ["functools"], ["json"]),
  row("internlm", ["<|action_start|>", "<|plugin|>"], ["json", "nested"], { closers: ["<|action_end|>"] }),
  row("apertus", ["<|tools_prefix|>"], ["keyed-json"], { closers: ["<|tools_suffix|>"] }),
  row("gigachat", ["<|function_call|>", "<|role_sep|>"], ["json"], { closers: ["<|message_sep|>", "</s>"] }),
  row("gigachat", ["<|message_sep|>"], ["word-nested"], { closers: ["<|message_sep|>", "</s>"] }),
  row("inkling", ["<|content_invoke_tool_json|>"], ["json"], { closers: ["<|end_message|>"] }),
  row("inkling", ["<|message_model|>"], ["word-nested"], { closers: ["<|end_message|>"] }),
  row("solar", ["<|tool_calls|>", "<|tool_call:begin|>"], ["nested", "headed"], { closers: ["<|tool_call:end|>"] }),
  row("tool-call-mark", ["[TOOL_CALL]"], ["json", "named"], { closers: ["[/TOOL_CALL]", "[END_TOOL_CALL]"] }),
  row("functioncall", ["<functioncall>"], ["json"], { closers: ["<|endoftext|>"] }),
  row("doubao", ["<|FunctionCallBegin|>"], ["json"], { closers: ["<|FunctionCallEnd|>"] }),
  row("functionary-v2", ["<|recipient|>"], ["headed"], { closers: ["<|stop|>"] }),
  row("functionary-v2", ["<|from|>"], ["word-nested"], { closers: ["<|stop|>"] }),
  row("seed-oss", ["<seed:tool_call>"], ["nested", "json"], { outer: true }),
  row(
    "function-name-attr",
    ['<function name="f">', '<tool name="f">', '<tool_call name="f">', '<function_call name="f">'],
    ["markup"],
  ),
  row("anthropic-invoke", ["<function_calls>", "<dots_function_call>"], ["nested", "json"], { strays: STRAYS }),
  row("anthropic-invoke", ['<invoke name="f">', "<invoke>"], ["markup", "name-element"], {
    entities: true,
    strays: STRAYS,
  }),
  row("minimax-m2", ["<minimax:tool_call>"], ["nested", "json"], { outer: true }),
  row("minimax-m3", ["]<]minimax[>[<tool_call>"], ["nested"], { outer: true }),
  row("dsml", ["<｜DSML｜tool_calls>", "<｜DSML｜function_calls>"], ["nested"]),
  row("dsml", ['<｜DSML｜invoke name="f">'], ["markup"]),
  row("kimi-k3", ["<|open|>tools<|sep|>"], ["nested"], { outer: true }),
  row("kimi-k3", ['<|open|>call tool="f"<|sep|>'], ["markup"]),
  row("muse-glimmer", ["<atem:function_calls>"], ["nested"], { closers: ["<|eom|>", "<|eot|>"], outer: true }),
  row("step3", ['<steptml:invoke name="f">'], ["markup"], {
    closers: ["<｜tool_call_end｜>", "<｜tool_calls_end｜>"],
    outer: true,
  }),
  row("pythonic", ["<|python_start|>"], ["pythonic", "json"], { closers: ["<|python_end|>"] }),
  row("lfm2", ["<|tool_call_start|>"], ["pythonic", "json"], { closers: ["<|tool_call_end|>"] }),
  row("olmo3", ["<function_calls>"], ["pythonic"]),
  row("gorilla", ["<<function>>"], ["pythonic"]),
  row("functiongemma", ["<start_function_call>"], ["braces"], { closers: ["<end_function_call>"] }),
  row("gemma4", ["<|tool_call>"], ["braces", "json"], { closers: ["<tool_call|>"] }),
  row("mistral", ["[TOOL_CALLS]"], ["json", "headed"], {
    closers: ["[/TOOL_CALLS]", "</s>"],
    separators: { ARGS: "mistral" },
  }),
  row("nemotron", ["<TOOLCALL>"], ANY),
  row("qwen3coder-xml", ["<function=f>", "<call=f>", "<tool=f>", "<invoke=f>"], ["markup"]),
];

/** Formats whose opener shows little: the name must be declared. */
const NAMED: readonly Row[] = [
  // All its tokens stripped by a server: the id is left, and the arguments.
  row("kimi-k2", ["functions."], ["indexed", "call-line"], { bare: true }),
  row("harmony", ["to=functions."], ["recipient"], {
    leads: ["assistantcommentary ", "commentary ", "assistant "],
    closers: ["<|call|>"],
    bare: true,
  }),
  row("harmony", ["to="], ["recipient"], { closers: ["<|call|>"], anchor: "line", bare: true }),
  row("qwen3coder-xml", ["function=", "function name=", "invoke name="], ["lost-bracket"], {
    anchor: "line",
    bare: true,
  }),
  row("functionary", [">>>"], ["functionary"], { anchor: "line" }),
  row("qwen-agent", ["✿FUNCTION✿:", "✿FUNCTION✿"], ["react"], { closers: ["✿RETURN✿"] }),
  // Tags that say little: a declared name must say the rest.
  row(
    "plain-tag",
    ["<response>", "<json>", "<xml>", "<tool>", "<action>", "<call>", "<output>"],
    ["json", "name-element"],
  ),
  row("plain-tag", ['<action name="f">', '<call name="f">'], ["markup"]),
  row(
    "plain-tag",
    ["<tool_request>", "<execute_tool>", "<invoke_tool>", "<call_tool>", "<tool_invocation>"],
    ["json", "name-element", "pythonic"],
  ),
  row("name-tag", ["<tool>", "<tool_name>", "<function>", "<function_name>", "<action>", "<name>"], ["name-tag"]),
  row("mcp-tag", ["<use_mcp_tool>", "<use_tool>"], ["name-element"]),
  row("gemma4", ["call:", "call :", "<call:"], ["braces"], {
    closers: ["<tool_call|>", "<end_function_call>", "<ctrl46>", "/>"],
    anchor: "line",
    bare: true,
  }),
];

/** Formats without an envelope. */
const WEAK: readonly Row[] = [
  row("tool_code", ["```tool_code"], ["pythonic"], { closers: ["```"], anchor: "line", last: true }),
  row(
    "react",
    [
      ...STEPS.map((step) => `Action ${step}:`),
      "Action:",
      "**Action:**",
      "**Action**:",
      "行动:",
      "行动：",
      "动作:",
      "动作：",
    ],
    ["react", "weak-json", "call-line"],
    { anchor: "line" },
  ),
  row("call-line", [...BRACKETS, ...LABELS], ["call-line", "weak-json"], {
    closers: anyCase([...CALL_LABELS, "tool", "function"].map((label) => `[/${label}]`)),
    anchor: "line",
  }),
  row("tool_code", ["tool_code\n"], ["pythonic"], { anchor: "line" }),
  row("tool_code", ["default_api.", "print(default_api."], ["pythonic"], { anchor: "line", bare: true }),
  row("fenced-json", ["```json", ...CALL_FENCES, "```\n"], ["weak-json"], {
    closers: ["```"],
    anchor: "line",
    last: true,
  }),
  row(
    "fenced-call",
    ["```xml", ...CALL_FENCES, "```python", "```yaml", "```\n"],
    ["nested", "argument-blocks", "weak-pythonic", "call-line", "weak-yaml"],
    { closers: ["```"], anchor: "line", last: true, outer: true },
  ),
  row("yaml", YAML_NAMES, ["weak-yaml"], { anchor: "line", bare: true }),
  row("escaped", ['{\\"', "\\u003c", "&lt;"], ["escaped"], { anchor: "line", bare: true }),
  row("pythonic", ["["], ["weak-pythonic"], { anchor: "line", bare: true }),
  row("bare-json", ["{", "["], ["weak-json"], { closers: ["</tool_call>", "</s>"], anchor: "line", bare: true }),
  row("raven", ["Call:"], ["pythonic"], { closers: ["<bot_end>"], anchor: "line" }),
];

/** All recognized formats, strongest evidence first if two share an opener. */
export const FORMATS: readonly FormatRow[] = [
  ...STRONG.map((one): FormatRow => ({ ...one, strength: "strong" })),
  ...NAMED.map((one): FormatRow => ({ ...one, strength: "named" })),
  ...WEAK.map((one): FormatRow => ({ ...one, strength: "weak" })),
];
