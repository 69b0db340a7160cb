import { collect } from "../../core/recover/extract.ts";
import { createLeakScanner, extractToolCalls } from "../../core/recover/index.ts";
import type { ContextText, DeclaredTool, RecoverMode } from "../../core/recover/types.ts";

/** Where a command reads and writes; the process's streams, or a test's. */
export interface RecoverIo {
  readonly stdin: AsyncIterable<string | Uint8Array>;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

export interface RecoverCommandOptions {
  /** One JSON object per line: `{id?, text, tools?, context?}`. */
  readonly jsonl?: boolean;
  readonly mode?: RecoverMode;
  readonly tools?: readonly DeclaredTool[];
}

/**
 * `toolmend recover`: text in, `{content, toolCalls, matches}` out; with `jsonl` a line out for each line in.
 * Gives the exit code: 1 when a line could not be read.
 *
 * @example
 * process.exitCode = await recoverCommand({ jsonl: true }, process);
 */
export async function recoverCommand(options: RecoverCommandOptions, io: RecoverIo): Promise<number> {
  return options.jsonl === true ? recoverLines(options, io) : recoverText(options, io);
}

async function recoverText(options: RecoverCommandOptions, io: RecoverIo): Promise<number> {
  const scanner = createLeakScanner(recoverOptions(options));
  const events = [];
  for await (const chunk of texts(io.stdin)) events.push(...scanner.push(chunk));
  events.push(...scanner.end());
  await put(io, `${JSON.stringify(collect(events))}\n`);
  return 0;
}

async function recoverLines(options: RecoverCommandOptions, io: RecoverIo): Promise<number> {
  let code = 0;
  let number = 0;
  for await (const line of lines(io.stdin)) {
    number += 1;
    if (line.trim() === "") continue;
    const row = readRow(line);
    if (row.text === undefined) {
      code = 1;
      const error = `line ${number} ${row.problem ?? "is not an object with a text"}`;
      io.stderr.write(`toolmend recover: ${error}\n`);
      await put(io, `${JSON.stringify({ id: row.id ?? null, error })}\n`);
      continue;
    }
    const extraction = extractToolCalls(row.text, recoverOptions({ ...options, ...row }));
    await put(io, `${JSON.stringify({ id: row.id ?? null, ...extraction })}\n`);
  }
  return code;
}

interface Row {
  readonly id?: string | number;
  /** Missing where the line holds none. */
  readonly text?: string;
  readonly tools?: readonly DeclaredTool[];
  readonly context?: readonly (string | ContextText)[];
  /** What is wrong with the line. */
  readonly problem?: string;
}

const ROLES: readonly unknown[] = ["user", "system", "assistant", "tool"];

function isContext(item: unknown): item is string | ContextText {
  if (typeof item === "string") return true;
  if (typeof item !== "object" || item === null) return false;
  const { role, text } = item as Partial<ContextText>;
  return ROLES.includes(role) && typeof text === "string";
}

function readRow(line: string): Row {
  try {
    const row = (JSON.parse(line) ?? {}) as Partial<Row>;
    const id = typeof row.id === "string" || typeof row.id === "number" ? { id: row.id } : {};
    if (typeof row.text !== "string") return id;
    const context: readonly unknown[] = Array.isArray(row.context) ? row.context : [];
    const wrong = context.findIndex((item) => !isContext(item));
    if (wrong !== -1)
      return {
        ...id,
        problem: `has a context[${wrong}] that is neither a string nor {role: ${ROLES.join(" | ")}, text}`,
      };
    return {
      text: row.text,
      ...id,
      ...(Array.isArray(row.tools) ? { tools: row.tools.flatMap(declaredTool) } : {}),
      context: context as Row["context"] & {},
    };
  } catch {
    return {};
  }
}

function recoverOptions(options: RecoverCommandOptions & { readonly context?: readonly (string | ContextText)[] }): {
  mode?: RecoverMode;
  tools?: readonly DeclaredTool[];
  context?: readonly (string | ContextText)[];
} {
  return {
    ...(options.mode === undefined ? {} : { mode: options.mode }),
    ...(options.tools === undefined ? {} : { tools: options.tools }),
    ...(options.context === undefined ? {} : { context: options.context }),
  };
}

/** Bytes may be cut inside a character. */
async function* texts(input: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of input) yield typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

async function* lines(input: AsyncIterable<string | Uint8Array>): AsyncGenerator<string> {
  let parts: string[] = [];
  for await (const chunk of texts(input)) {
    let from = 0;
    for (let at = chunk.indexOf("\n"); at !== -1; at = chunk.indexOf("\n", from)) {
      parts.push(chunk.slice(from, at));
      yield parts.join("");
      parts = [];
      from = at + 1;
    }
    parts.push(chunk.slice(from));
  }
  yield parts.join("");
}

/** Waits for a stream that says it is full. */
async function put(io: RecoverIo, text: string): Promise<void> {
  const stream = io.stdout as { write(text: string): unknown; once?(event: "drain", listener: () => void): unknown };
  if (stream.write(text) !== false || stream.once === undefined) return;
  await new Promise<void>((resolve) => {
    stream.once?.("drain", () => resolve());
  });
}

/** A declaration, or just a tool's name. */
function declaredTool(tool: unknown): readonly DeclaredTool[] {
  if (typeof tool === "string") return [{ name: tool }];
  return typeof tool === "object" && tool !== null ? [tool as DeclaredTool] : [];
}
