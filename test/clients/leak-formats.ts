import type { Json, JsonObject } from "../../src/core/model/tool-call.ts";
import type { ScriptedCall } from "./driven-client.ts";

type WriteLeak = (name: string, args: JsonObject) => string;

const valueText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

function each(args: JsonObject, write: (key: string, value: string) => string): string {
  return Object.entries(args)
    .map(([key, value]) => write(key, valueText(value)))
    .join("\n");
}

/** How models of eight families write a call as text. */
const WRITERS = {
  hermes: (name, args) => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`,
  qwen: (name, args) =>
    `<tool_call>\n<function=${name}>\n${each(args, (key, value) => `<parameter=${key}>\n${value}\n</parameter>`)}\n</function>\n</tool_call>`,
  mistral: (name, args) => `[TOOL_CALLS][${JSON.stringify({ name, arguments: args })}]`,
  kimi: (name, args) =>
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>${JSON.stringify(args)}<|tool_call_end|><|tool_calls_section_end|>`,
  invoke: (name, args) =>
    `<function_calls>\n<invoke name="${name}">\n${each(args, (key, value) => `<parameter name="${key}">${value}</parameter>`)}\n</invoke>\n</function_calls>`,
  glm: (name, args) =>
    `<tool_call>${name}\n${each(args, (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>`)}\n</tool_call>`,
  deepseek: (name, args) =>
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${JSON.stringify(args)}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  llama: (name, args) => `<|python_tag|>${JSON.stringify({ name, parameters: args })}`,
} as const satisfies Readonly<Record<string, WriteLeak>>;

export type LeakFormat = keyof typeof WRITERS;
export const LEAK_FORMATS = Object.keys(WRITERS) as readonly LeakFormat[];

/** A turn in which the model writes the call as text. */
export function leakedTurn(format: LeakFormat, { tool, arguments: args }: ScriptedCall): { readonly text: string } {
  if (typeof args === "string") throw new Error("a leaked call has an object as arguments");
  return { text: WRITERS[format](tool, args) };
}
