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

const CALL_LABELS = ["tool call", "tool_call", "tool use", "tool_use", "function call", "function_call", "toolcall"];

/** Labels in a bracket, as proxies write calls into a history: `[Tool Use: f …]`, `[Called f …]`, `[tool_call] f …`. */
const BRACKETS = anyCase([
  ...[...CALL_LABELS, "tool", "function", "invoke", "action", "call"].map((label) => `[${label}:`),
  ...["using tool", "calling tool", "called tool", "calling function"].map((label) => `[${label}:`),
  ...["called", "calling", "using", "using tool"].map((label) => `[${label} `),
  ...CALL_LABELS.map((label) => `[${label}]`),
]);

/** Labels before a call on its line. */
const LABELS = anyCase([
  ...["tool call:", "tool_call:", "tool use:", "function call:", "function_call:", "calling tool:", "using tool:"],
  ...["tool:", "**tool:**", "**tool**:", "function:", "**function:**"],
]);

/** Keys of the name where a call is written in YAML. */
const YAML_NAMES = ["tool:", "name:", "tool_name:", "function:"];

/** What models call a fence around a call. */
const CALL_FENCES = [
  ...["tool_call", "tool_calls", "toolcall", "tool_use", "tool_request", "tool", "tools", "function_call", "function"],
].map((info) => `\`\`\`${info}`);

/** Tokens that end a turn. Behind a call they are removed with it. */
export const TURN_ENDS = [
  ...["<|im_end|>", "<｜end▁of▁sentence｜>", "<|eot_id|>", "<|endoftext|>", "<|end_of_text|>", "<end_of_turn>"],
  ...[
    "<start_function_response>",
    "<|end_of_turn|>",
    "<|return|>",
    "<|end_of_msg|>",
    "<|close|>message<|sep|>",
    "[e~[",
  ],
];

/** Words that Claude Code leaks have on the line before the call. */
const STRAYS = ["court", "call", "count"];

/** The tokens that end a message to the model itself. */
export const SELF_ENDS: readonly string[] = ["|eom|", "|eot|", "|start|"];

type Row = Omit<FormatRow, "strength">;

/** Formats that nothing else writes. */
const STRONG: readonly Row[] = [
  {
    format: "hermes-json",
    openers: ["<tool_call>", '<tool_call id="x">', "<tool_code>", "<tool_use>", "<tool-call>", "<tool-use>"],
    payloads: ["json", "nested", "name-element", "pythonic", "braces", "yaml"],
  },
  {
    format: "glm-xml",
    openers: ["<tool_call>", "<tool-call>"],
    payloads: ["named"],
    separators: { tool_sep: "hy-v3" },
  },
  { format: "tools-tag", openers: ["<tools>"], payloads: ["json", "nested"] },
  {
    format: "hunyuan-tool_calls",
    openers: ["<tool_calls>", "<tool-calls>"],
    payloads: ["json", "nested", "name-element", "pythonic"],
  },
  { format: "function_call-tag", openers: ["<function_call>", "<function-call>"], payloads: ANY },
  { format: "function-tag", openers: ["<function>"], payloads: ["json", "nested", "name-element"] },
  { format: "longcat", openers: ["<longcat_tool_call>"], payloads: ["json", "nested", "named"], outer: true },
  {
    format: "deepseek-v3",
    openers: ["<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>"],
    closers: ["<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>"],
    payloads: ["nested", "json", "headed"],
    separators: { "|tool_call_argument_begin|": "kimi-k2", "|tool_sep|": "deepseek-v3" },
  },
  {
    format: "kimi-k2",
    openers: ["<|tool_calls_section_begin|>", "<|tool_call_section_begin|>"],
    closers: ["<|tool_call_end|>", "<|tool_calls_section_end|>", "<|tool_call_section_end|>"],
    payloads: ["nested", "headed"],
    outer: true,
  },
  { format: "lm-studio", openers: ["[TOOL_REQUEST]"], closers: ["[END_TOOL_REQUEST]"], payloads: ["json"] },
  {
    format: "llama-python-tag",
    openers: ["<|python_tag|>"],
    closers: ["<|eom_id|>", "<|eot_id|>"],
    payloads: ["json", "pythonic"],
  },
  {
    format: "harmony",
    openers: ["<|channel|>", "<|start|>"],
    closers: ["<|call|>", "<|end|>", "<|eom|>", "<|eot|>"],
    payloads: ["recipient"],
    thoughts: [
      { begin: "analysis", ends: ["|end|", "|call|", "|return|", "|start|", "|channel|"] },
      { begin: "assistant to=self", ends: SELF_ENDS },
    ],
  },
  {
    format: "cohere",
    openers: ["<|START_ACTION|>"],
    closers: ["<|END_ACTION|>", "<|END_OF_TURN_TOKEN|>"],
    payloads: ["json"],
  },
  {
    format: "granite",
    openers: ["<|tool_call|>"],
    closers: ["<|end_of_text|>", "<|/tool_call|>"],
    payloads: ["json", "pythonic"],
  },
  { format: "phi4", openers: ["functools"], payloads: ["json"] },
  {
    format: "internlm",
    openers: ["<|action_start|>", "<|plugin|>"],
    closers: ["<|action_end|>"],
    payloads: ["json", "nested"],
  },
  { format: "apertus", openers: ["<|tools_prefix|>"], closers: ["<|tools_suffix|>"], payloads: ["keyed-json"] },
  {
    format: "gigachat",
    openers: ["<|function_call|>", "<|role_sep|>"],
    closers: ["<|message_sep|>", "</s>"],
    payloads: ["json"],
  },
  { format: "gigachat", openers: ["<|message_sep|>"], closers: ["<|message_sep|>", "</s>"], payloads: ["word-nested"] },
  { format: "inkling", openers: ["<|content_invoke_tool_json|>"], closers: ["<|end_message|>"], payloads: ["json"] },
  { format: "inkling", openers: ["<|message_model|>"], closers: ["<|end_message|>"], payloads: ["word-nested"] },
  {
    format: "solar",
    openers: ["<|tool_calls|>", "<|tool_call:begin|>"],
    closers: ["<|tool_call:end|>"],
    payloads: ["nested", "headed"],
  },
  {
    format: "tool-call-mark",
    openers: ["[TOOL_CALL]"],
    closers: ["[/TOOL_CALL]", "[END_TOOL_CALL]"],
    payloads: ["json", "named"],
  },
  { format: "functioncall", openers: ["<functioncall>"], closers: ["<|endoftext|>"], payloads: ["json"] },
  { format: "doubao", openers: ["<|FunctionCallBegin|>"], closers: ["<|FunctionCallEnd|>"], payloads: ["json"] },
  { format: "functionary-v2", openers: ["<|recipient|>"], closers: ["<|stop|>"], payloads: ["headed"] },
  { format: "functionary-v2", openers: ["<|from|>"], closers: ["<|stop|>"], payloads: ["word-nested"] },
  { format: "seed-oss", openers: ["<seed:tool_call>"], payloads: ["nested", "json"], outer: true },
  {
    format: "function-name-attr",
    openers: ['<function name="f">', '<tool name="f">', '<tool_call name="f">', '<function_call name="f">'],
    payloads: ["markup"],
  },
  {
    format: "anthropic-invoke",
    openers: ["<function_calls>", "<dots_function_call>"],
    payloads: ["nested", "json"],
    strays: STRAYS,
  },
  {
    format: "anthropic-invoke",
    openers: ['<invoke name="f">', "<invoke>"],
    payloads: ["markup", "name-element"],
    entities: true,
    strays: STRAYS,
  },
  { format: "minimax-m2", openers: ["<minimax:tool_call>"], payloads: ["nested", "json"], outer: true },
  { format: "minimax-m3", openers: ["]<]minimax[>[<tool_call>"], payloads: ["nested"], outer: true },
  { format: "dsml", openers: ["<｜DSML｜tool_calls>", "<｜DSML｜function_calls>"], payloads: ["nested"] },
  { format: "dsml", openers: ['<｜DSML｜invoke name="f">'], payloads: ["markup"] },
  { format: "kimi-k3", openers: ["<|open|>tools<|sep|>"], payloads: ["nested"], outer: true },
  { format: "kimi-k3", openers: ['<|open|>call tool="f"<|sep|>'], payloads: ["markup"] },
  {
    format: "muse-glimmer",
    openers: ["<atem:function_calls>"],
    closers: ["<|eom|>", "<|eot|>"],
    payloads: ["nested"],
    outer: true,
  },
  {
    format: "step3",
    openers: ['<steptml:invoke name="f">'],
    closers: ["<｜tool_call_end｜>", "<｜tool_calls_end｜>"],
    payloads: ["markup"],
    outer: true,
  },
  { format: "pythonic", openers: ["<|python_start|>"], closers: ["<|python_end|>"], payloads: ["pythonic", "json"] },
  { format: "lfm2", openers: ["<|tool_call_start|>"], closers: ["<|tool_call_end|>"], payloads: ["pythonic", "json"] },
  { format: "olmo3", openers: ["<function_calls>"], payloads: ["pythonic"] },
  { format: "gorilla", openers: ["<<function>>"], payloads: ["pythonic"] },
  {
    format: "functiongemma",
    openers: ["<start_function_call>"],
    closers: ["<end_function_call>"],
    payloads: ["braces"],
  },
  { format: "gemma4", openers: ["<|tool_call>"], closers: ["<tool_call|>"], payloads: ["braces", "json"] },
  {
    format: "mistral",
    openers: ["[TOOL_CALLS]"],
    closers: ["[/TOOL_CALLS]", "</s>"],
    payloads: ["json", "headed"],
    separators: { ARGS: "mistral" },
  },
  { format: "nemotron", openers: ["<TOOLCALL>"], payloads: ANY },
  {
    format: "qwen3coder-xml",
    openers: ["<function=f>", "<call=f>", "<tool=f>", "<invoke=f>"],
    payloads: ["markup"],
  },
];

/** Formats whose opener shows little: the name must be declared. */
const NAMED: readonly Row[] = [
  // All its tokens stripped by a server: the id is left, and the arguments.
  { format: "kimi-k2", openers: ["functions."], payloads: ["indexed", "call-line"], bare: true },
  {
    format: "harmony",
    openers: ["to=functions."],
    leads: ["assistantcommentary ", "commentary ", "assistant "],
    closers: ["<|call|>"],
    payloads: ["recipient"],
    bare: true,
  },
  { format: "qwen3coder-xml", openers: ["function="], payloads: ["named"], anchor: "line", bare: true },
  { format: "functionary", openers: [">>>"], payloads: ["functionary"], anchor: "line" },
  { format: "qwen-agent", openers: ["✿FUNCTION✿:", "✿FUNCTION✿"], closers: ["✿RETURN✿"], payloads: ["react"] },
  // Tags that say little: a declared name must say the rest.
  {
    format: "plain-tag",
    openers: ["<response>", "<json>", "<xml>", "<tool>", "<action>", "<call>", "<output>"],
    payloads: ["json", "name-element"],
  },
  { format: "plain-tag", openers: ['<action name="f">', '<call name="f">'], payloads: ["markup"] },
  {
    format: "plain-tag",
    openers: ["<tool_request>", "<execute_tool>", "<invoke_tool>", "<call_tool>", "<tool_invocation>"],
    payloads: ["json", "name-element", "pythonic"],
  },
  {
    format: "name-tag",
    openers: ["<tool>", "<tool_name>", "<function>", "<function_name>", "<action>", "<name>"],
    payloads: ["name-tag"],
  },
  { format: "mcp-tag", openers: ["<use_mcp_tool>"], payloads: ["name-element"] },
  {
    format: "gemma4",
    openers: ["call:", "call :"],
    closers: ["<tool_call|>", "<end_function_call>"],
    payloads: ["braces"],
    anchor: "line",
    bare: true,
  },
];

/** Formats without an envelope. */
const WEAK: readonly Row[] = [
  {
    format: "tool_code",
    openers: ["```tool_code"],
    closers: ["```"],
    payloads: ["pythonic"],
    anchor: "line",
    last: true,
  },
  {
    format: "react",
    openers: ["Action:", "**Action:**", "**Action**:", "行动:", "行动：", "动作:", "动作："],
    payloads: ["react", "weak-json", "call-line"],
    anchor: "line",
  },
  {
    format: "call-line",
    openers: [...BRACKETS, ...LABELS],
    closers: anyCase([...CALL_LABELS, "tool", "function"].map((label) => `[/${label}]`)),
    payloads: ["call-line", "weak-json"],
    anchor: "line",
  },
  { format: "tool_code", openers: ["tool_code\n"], payloads: ["pythonic"], anchor: "line" },
  {
    format: "tool_code",
    openers: ["default_api.", "print(default_api."],
    payloads: ["pythonic"],
    anchor: "line",
    bare: true,
  },
  {
    format: "fenced-json",
    openers: ["```json", ...CALL_FENCES, "```\n"],
    closers: ["```"],
    payloads: ["weak-json"],
    anchor: "line",
    last: true,
  },
  {
    format: "fenced-call",
    openers: ["```xml", ...CALL_FENCES, "```python", "```yaml", "```\n"],
    closers: ["```"],
    payloads: ["nested", "weak-pythonic", "call-line", "weak-yaml"],
    anchor: "line",
    last: true,
    outer: true,
  },
  { format: "yaml", openers: YAML_NAMES, payloads: ["weak-yaml"], anchor: "line", bare: true },
  {
    format: "escaped",
    openers: ['{\\"', "\\u003c", "&lt;"],
    payloads: ["escaped"],
    anchor: "line",
    bare: true,
  },
  { format: "pythonic", openers: ["["], payloads: ["weak-pythonic"], anchor: "line", bare: true },
  {
    format: "bare-json",
    openers: ["{", "["],
    closers: ["</tool_call>", "</s>"],
    payloads: ["weak-json"],
    anchor: "line",
    bare: true,
  },
  { format: "raven", openers: ["Call:"], closers: ["<bot_end>"], payloads: ["pythonic"], anchor: "line" },
];

/** All recognized formats, strongest evidence first if two share an opener. */
export const FORMATS: readonly FormatRow[] = [
  ...STRONG.map((row): FormatRow => ({ ...row, strength: "strong" })),
  ...NAMED.map((row): FormatRow => ({ ...row, strength: "named" })),
  ...WEAK.map((row): FormatRow => ({ ...row, strength: "weak" })),
];
