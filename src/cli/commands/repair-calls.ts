import { type CheckedCall, checkCall, compileSchema, type ToolSchemas } from "../../core/calls/index.ts";
import { type Fields, isArray, isObject } from "../../core/model/narrow.ts";
import { answerLines, type TextIo } from "../json-lines.ts";

/** `toolmend repair-calls --jsonl`: checks native calls against their tools. Returns 1 if a line could not be read. */
export function repairCallsCommand(io: TextIo): Promise<number> {
  return answerLines(io, "repair-calls", ({ tools, calls }) => {
    if (!isListOfNamed(tools)) return { kind: "problem", problem: 'needs "tools": a list of {name, parameters}' };
    if (!isListOfNamed(calls)) return { kind: "problem", problem: 'needs "calls": a list of {name, arguments}' };
    const schemas: ToolSchemas = new Map(tools.map(({ name, parameters }) => [name, compileSchema(parameters)]));
    const checked = calls.map((call) => outputOf(checkCall(call.name, textOf(call.arguments), schemas)));
    return { kind: "answer", fields: { calls: checked } };
  });
}

type Named = Fields & { readonly name: string };

function isListOfNamed(value: unknown): value is readonly Named[] {
  return isArray(value) && value.every((item) => isObject(item) && typeof item.name === "string");
}

/** Arguments are text. Some programs pass the object itself, or nothing. */
function textOf(args: unknown): string {
  if (typeof args === "string") return args;
  return args === undefined ? "" : JSON.stringify(args);
}

function outputOf({ misfits, ...call }: CheckedCall): object {
  return { ...call, errors: misfits.map(({ path, problem }) => `${path} ${problem}`) };
}
