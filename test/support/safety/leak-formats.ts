import type { Arguments, Call, JsonValue } from "./safety-case.ts";

/** Writes calls the way one family of models leaks them. */
export interface LeakFormat {
  readonly id: string;
  /** True when the format is a fenced block: beside other text it is a code example. */
  readonly fenced?: boolean;
  render(calls: readonly Call[]): string;
}

const FENCE = "```";

const json = (value: JsonValue): string => JSON.stringify(value);
const object = (call: Call, key = "arguments"): string => json({ name: call.name, [key]: call.arguments });
const entries = (values: Arguments): [string, JsonValue][] => Object.entries(values);
/** Markup has no types: strings are written as they are, everything else as JSON. */
const raw = (value: JsonValue): string => (typeof value === "string" ? value : json(value));
const each =
  (render: (call: Call, index: number) => string, separator = "\n") =>
  (calls: readonly Call[]): string =>
    calls.map(render).join(separator);
const list =
  (before: string, after: string, item: (call: Call) => string) =>
  (calls: readonly Call[]): string =>
    `${before}[${calls.map((call) => item(call)).join(", ")}]${after}`;

function pythonValue(value: JsonValue): string {
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (typeof value !== "object") return json(value);
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(", ")}]`;
  return `{${entries(value as Arguments)
    .map(([key, item]) => `${json(key)}: ${pythonValue(item)}`)
    .join(", ")}}`;
}

const pythonArguments = (call: Call): string =>
  entries(call.arguments)
    .map(([key, value]) => `${key}=${pythonValue(value)}`)
    .join(", ");
const pythonCall = (call: Call): string => `${call.name}(${pythonArguments(call)})`;

function braces(value: JsonValue, quote: string): string {
  if (typeof value === "string") return `${quote}${value}${quote}`;
  if (value === null || typeof value !== "object") return json(value);
  if (Array.isArray(value)) return `[${value.map((item) => braces(item, quote)).join(",")}]`;
  return `{${entries(value as Arguments)
    .map(([key, item]) => `${key}:${braces(item, quote)}`)
    .join(",")}}`;
}

function invoke(call: Call, prefix = "", extra: (value: JsonValue) => string = () => ""): string {
  const parameters = entries(call.arguments)
    .map(([key, value]) => `<${prefix}parameter name="${key}"${extra(value)}>${raw(value)}</${prefix}parameter>\n`)
    .join("");
  return `<${prefix}invoke name="${call.name}">\n${parameters}</${prefix}invoke>`;
}

const functionMarkup = (call: Call): string =>
  `<function=${call.name}>\n${entries(call.arguments)
    .map(([key, value]) => `<parameter=${key}>\n${raw(value)}\n</parameter>\n`)
    .join("")}</function>`;

const argumentPairs = (call: Call): string =>
  entries(call.arguments)
    .map(([key, value]) => `<arg_key>${key}</arg_key>\n<arg_value>${raw(value)}</arg_value>\n`)
    .join("");

const kimiArgument = ([key, value]: [string, JsonValue]): string =>
  `<|open|>argument key="${key}" type="${typeof value === "string" ? "string" : "json"}"<|sep|>${raw(value)}<|close|>argument<|sep|>`;

export const LEAK_FORMATS: readonly LeakFormat[] = [
  { id: "hermes", render: each((call) => `<tool_call>\n${object(call)}\n</tool_call>`) },
  { id: "tools-tag", render: each((call) => `<tools>${object(call)}</tools>`) },
  { id: "tool-calls-tag", render: list("<tool_calls>", "</tool_calls>", object) },
  { id: "function-call-tag", render: each((call) => `<function_call>${object(call, "parameters")}</function_call>`) },
  { id: "qwen-coder", render: each((call) => `<tool_call>\n${functionMarkup(call)}\n</tool_call>`) },
  { id: "qwen-coder-bare", render: each(functionMarkup) },
  { id: "function-json", render: each((call) => `<function=${call.name}>${json(call.arguments)}</function>`) },
  { id: "seed-oss", render: each((call) => `<seed:tool_call>\n${functionMarkup(call)}\n</seed:tool_call>`) },
  { id: "glm", render: each((call) => `<tool_call>${call.name}\n${argumentPairs(call)}</tool_call>`) },
  {
    id: "hunyuan",
    render: (calls) =>
      `<tool_calls>\n${calls.map((call) => `<tool_call>${call.name}<tool_sep>\n${argumentPairs(call)}</tool_call>\n`).join("")}</tool_calls>`,
  },
  {
    id: "invoke",
    render: (calls) => `<function_calls>\n${calls.map((call) => invoke(call)).join("\n")}\n</function_calls>`,
  },
  { id: "invoke-bare", render: each((call) => invoke(call)) },
  {
    id: "minimax",
    render: (calls) => `<minimax:tool_call>\n${calls.map((call) => invoke(call)).join("\n")}\n</minimax:tool_call>`,
  },
  {
    id: "dsml",
    render: (calls) =>
      `<｜DSML｜tool_calls>\n${calls
        .map((call) => invoke(call, "｜DSML｜", (value) => ` string="${typeof value === "string"}"`))
        .join("\n")}\n</｜DSML｜tool_calls>`,
  },
  {
    id: "deepseek-v3",
    render: (calls) =>
      `<｜tool▁calls▁begin｜>${calls
        .map(
          (call) =>
            `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${call.name}\n${FENCE}json\n${json(call.arguments)}\n${FENCE}<｜tool▁call▁end｜>`,
        )
        .join("\n")}<｜tool▁calls▁end｜>`,
  },
  {
    id: "deepseek-v31",
    render: (calls) =>
      `<｜tool▁calls▁begin｜>${calls
        .map((call) => `<｜tool▁call▁begin｜>${call.name}<｜tool▁sep｜>${json(call.arguments)}<｜tool▁call▁end｜>`)
        .join("")}<｜tool▁calls▁end｜>`,
  },
  {
    id: "kimi-k2",
    render: (calls) =>
      `<|tool_calls_section_begin|>${calls
        .map(
          (call, index) =>
            `<|tool_call_begin|>functions.${call.name}:${index}<|tool_call_argument_begin|>${json(call.arguments)}<|tool_call_end|>`,
        )
        .join("")}<|tool_calls_section_end|>`,
  },
  {
    id: "kimi-k3",
    render: (calls) =>
      `<|open|>tools<|sep|>${calls
        .map(
          (call, index) =>
            `<|open|>call tool="${call.name}" index="${index + 1}"<|sep|>${entries(call.arguments)
              .map(kimiArgument)
              .join("")}<|close|>call<|sep|>`,
        )
        .join("")}<|close|>tools<|sep|>`,
  },
  { id: "mistral", render: list("[TOOL_CALLS] ", "", object) },
  { id: "mistral-args", render: each((call) => `[TOOL_CALLS]${call.name}[ARGS]${json(call.arguments)}`, "") },
  {
    id: "llama-tag",
    render: (calls) => `<|python_tag|>${calls.map((call) => object(call, "parameters")).join("; ")}`,
  },
  { id: "llama-call", render: each((call) => `<|python_tag|>${call.name}.call(${pythonArguments(call)})`) },
  { id: "pythonic", render: list("", "", pythonCall) },
  { id: "llama4", render: list("<|python_start|>", "<|python_end|>", pythonCall) },
  { id: "lfm2", render: list("<|tool_call_start|>", "<|tool_call_end|>", pythonCall) },
  { id: "olmo", render: (calls) => `<function_calls>${calls.map(pythonCall).join("\n")}</function_calls>` },
  {
    id: "tool-code",
    fenced: true,
    render: (calls) => `${FENCE}tool_code\n${calls.map(pythonCall).join("\n")}\n${FENCE}`,
  },
  {
    id: "function-gemma",
    render: each(
      (call) => `<start_function_call>call:${call.name}${braces(call.arguments, "<escape>")}<end_function_call>`,
      "",
    ),
  },
  {
    id: "gemma",
    render: each((call) => `<|tool_call>call:${call.name}${braces(call.arguments, '<|"|>')}<tool_call|>`),
  },
  { id: "gemma-bare", render: each((call) => `call:${call.name}${braces(call.arguments, '<|"|>')}`) },
  {
    id: "harmony",
    render: each(
      (call) =>
        `<|channel|>commentary to=functions.${call.name} <|constrain|>json<|message|>${json(call.arguments)}<|call|>`,
      "<|start|>assistant",
    ),
  },
  {
    id: "harmony-stripped",
    render: each((call) => `assistantcommentary to=functions.${call.name} json${json(call.arguments)}`),
  },
  {
    id: "cohere",
    render: (calls) =>
      `<|START_ACTION|>[${calls
        .map((call, index) => json({ tool_call_id: String(index), tool_name: call.name, parameters: call.arguments }))
        .join(", ")}]<|END_ACTION|>`,
  },
  { id: "granite", render: list("<|tool_call|> ", "", object) },
  { id: "phi", render: list("functools", "", object) },
  {
    id: "internlm",
    render: each((call) => `<|action_start|><|plugin|>${object(call, "parameters")}<|action_end|>`),
  },
  {
    id: "apertus",
    render: list("<|tools_prefix|>", "<|tools_suffix|>", (call) => json({ [call.name]: call.arguments })),
  },
  { id: "gigachat", render: each((call) => `<|function_call|>${object(call)}`) },
  { id: "functionary", render: each((call) => `>>>${call.name}\n${json(call.arguments)}`) },
  { id: "qwen-agent", render: each((call) => `✿FUNCTION✿: ${call.name}\n✿ARGS✿: ${json(call.arguments)}`) },
  { id: "react", render: each((call) => `Action: ${call.name}\nAction Input: ${json(call.arguments)}`) },
  {
    id: "fenced-json",
    fenced: true,
    render: (calls) =>
      `${FENCE}json\n${calls.length === 1 ? calls.map((call) => object(call)).join("") : list("", "", object)(calls)}\n${FENCE}`,
  },
  { id: "bare-json", render: each((call) => object(call)) },
  {
    id: "bare-json-pretty",
    render: each((call) => JSON.stringify({ name: call.name, arguments: call.arguments }, null, 2)),
  },
  {
    id: "openai-envelope",
    render: (calls) =>
      json({
        content: null,
        tool_calls: calls.map((call, index) => ({
          id: `call_${index + 1}`,
          type: "function",
          function: { name: call.name, arguments: json(call.arguments) },
        })),
      }),
  },
  {
    id: "tag-per-tool",
    render: each(
      (call) =>
        `<${call.name}>\n${entries(call.arguments)
          .map(([key, value]) => `<${key}>${raw(value)}</${key}>\n`)
          .join("")}</${call.name}>`,
    ),
  },
  { id: "line-args", render: each((call) => `${call.name}[ARGS]${json(call.arguments)}`) },
  { id: "line-json", render: each((call) => `${call.name}(${json(call.arguments)})`) },
  { id: "line-python", render: each(pythonCall) },
  { id: "bracket-use", render: each((call) => `[Tool Use: ${call.name}(${json(call.arguments)})]`) },
  { id: "bracket-called", render: each((call) => `[Called ${call.name} with args: ${json(call.arguments)}]`) },
  {
    id: "name-tag",
    render: each((call) => `<tool>${call.name}</tool><tool_input>${json(call.arguments)}</tool_input>`),
  },
  {
    id: "fenced-xml",
    fenced: true,
    render: (calls) =>
      `${FENCE}xml\n${calls.map((call) => `<tool_call>${object(call)}</tool_call>`).join("\n")}\n${FENCE}`,
  },
  { id: "escaped-json", render: each((call) => json(object(call)).slice(1, -1)) },
  {
    id: "json-rpc",
    render: each((call) =>
      json({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: call.name, arguments: call.arguments } }),
    ),
  },
];
