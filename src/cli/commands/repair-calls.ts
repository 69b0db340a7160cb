import { type CheckedCall, checkCall, compileSchema, type ToolSchemas } from "../../core/calls/index.ts";
import { lines, put, type TextIo } from "../json-lines.ts";

/** `toolmend repair-calls --jsonl`: checks native calls against their tools. Returns 1 if a line could not be read. */
export async function repairCallsCommand(io: TextIo): Promise<number> {
  let code = 0;
  let number = 0;
  for await (const line of lines(io.stdin)) {
    number += 1;
    if (line.trim() === "") continue;
    const row = readRow(line);
    if (row.kind === "problem") {
      code = 1;
      const error = `line ${number} ${row.problem}`;
      io.stderr.write(`toolmend repair-calls: ${error}\n`);
      await put(io, `${JSON.stringify({ id: row.id ?? null, error })}\n`);
      continue;
    }
    const calls = row.calls.map((call) => outputOf(checkCall(call.name, call.arguments, row.tools)));
    await put(io, `${JSON.stringify({ id: row.id ?? null, calls })}\n`);
  }
  return code;
}

interface Call {
  readonly name: string;
  readonly arguments: string;
}

type Row =
  | { readonly kind: "row"; readonly id: unknown; readonly tools: ToolSchemas; readonly calls: readonly Call[] }
  | { readonly kind: "problem"; readonly id?: unknown; readonly problem: string };

function readRow(line: string): Row {
  const row = parse(line);
  if (!isFields(row)) return { kind: "problem", problem: "is not a JSON object" };
  const { id, tools, calls } = row;
  if (!Array.isArray(tools) || !tools.every((tool) => isFields(tool) && typeof tool.name === "string"))
    return { kind: "problem", id, problem: 'needs "tools": a list of {name, parameters}' };
  if (!Array.isArray(calls) || !calls.every((call) => isFields(call) && typeof call.name === "string"))
    return { kind: "problem", id, problem: 'needs "calls": a list of {name, arguments}' };
  return {
    kind: "row",
    id,
    tools: new Map(tools.map(({ name, parameters }) => [name, compileSchema(parameters)])),
    calls: calls.map(({ name, arguments: args }) => ({ name, arguments: textOf(args) })),
  };
}

/** Arguments are text. Some programs pass the object itself, or nothing. */
function textOf(args: unknown): string {
  if (typeof args === "string") return args;
  return args === undefined ? "" : JSON.stringify(args);
}

function outputOf({ misfits, ...call }: CheckedCall): object {
  return { ...call, errors: misfits.map(({ path, problem }) => `${path} ${problem}`) };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
